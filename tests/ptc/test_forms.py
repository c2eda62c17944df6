"""Special forms."""

from __future__ import annotations

import pytest

from .table import reason_of, same, step_of

VALUES = [
    # let and destructuring
    ("(let [a 1 b (inc a) a 10] [a b])", "[10 2]"),
    ("(let [[a [b & c] & d] [1 [2 3 4] 5]] [a b c d])", "[1 2 [3 4] [5]]"),
    ("(let [[a b] nil] [a b])", "[nil nil]"),
    ("(let [{:keys [a b] c :c :or {b 7 c 8}} {:a 1 :c nil}] [a b c])", "[1 7 nil]"),
    ('(let [{:strs [x] :as all} {"x" 1 "y" 2}] [x (count all)])', "[1 2]"),
    ("(let [{{:keys [deep]} :in [p q] :pair} {:in {:deep 1} :pair [2 3]}] [deep p q])", "[1 2 3]"),
    ("(let [{:keys [a] :or {a [1 {:k 2}]}} {}] a)", "[1 {:k 2}]"),
    ("(let [{:keys [my-key]} {:my_key 5}] my-key)", "5"),
    # functions
    ("((fn [x & more] [x more]) 1 2 3)", "[1 [2 3]]"),
    ("((fn [a & {:keys [b c] :or {c 3}}] [a b c]) 1 :b 2)", "[1 2 3]"),
    ("((fn fact [n] (if (< n 2) 1 (* n (fact (dec n))))) 10)", "3628800"),
    ("(map #(* % %2) [1 2 3] [4 5 6])", "[4 10 18]"),
    ("(#(vector %2 %&) 1 2 3 4)", "[2 [3 4]]"),
    ("(let [n 5 add (fn [x] (fn [y] (+ x y n)))] ((add 1) 2))", "8"),
    ('(defn f "says" [x] (* 2 x)) (f 4)', "8"),
    ("(def fs (for [i [1 2 3]] (fn [] i))) (map (fn [f] (f)) fs)", "[1 2 3]"),
    ("(def x 1) (defonce x 2) (defonce y 3) [x y]", "[1 3]"),
    # choices
    ("(if 0 :yes :no)", ":yes"),
    ('(if "" :yes :no)', ":yes"),
    ("(if-not nil 1)", "1"),
    ("(when-not (= 1 2) 1 2 3)", "3"),
    ("(if-let [x (get {:a 1} :a)] (inc x) 0)", "2"),
    ("(when-some [x false] [x])", "[false]"),
    ("(when-first [x {:a 1}] x)", "[:a 1]"),
    ("(cond nil 1 false 2)", "nil"),
    ('(case "b" ("a" "b") 1 2)', "1"),
    ("(case [1 2] [1 2] :pair :other)", ":pair"),
    ("(case 1.0 1 :int 1.0 :float)", ":float"),
    ("(condp contains? 3 #{1 2} :low #{3 4} :high)", ":high"),
    ("(condp = 9 1 :one :none)", ":none"),
    ("(condp (fn [a b] 0) 1 5 :zero-is-yes)", ":zero-is-yes"),
    ("(and 1 nil 2)", "nil"),
    ("(and)", "true"),
    ("(or false 0 1)", "0"),
    ("(comment anything at all)", "nil"),
    ("(do)", "nil"),
    ("(def visits (inc (or visits 0))) visits", "1"),
    # loops
    ("(loop [n 5 acc []] (if (pos? n) (recur (dec n) (conj acc n)) acc))", "[5 4 3 2 1]"),
    ("(loop [[x & xs] [1 2 3] sum 0] (if x (recur xs (+ sum x)) sum))", "6"),
    ("((fn [n acc] (cond (zero? n) acc :else (recur (dec n) (* 2 acc)))) 10 1)", "1024"),
    ("(loop [i 0] (when (< i 3) (recur (inc i))))", "nil"),
    ("(loop [i 0] (or (and (> i 4) i) (recur (inc i))))", "5"),
    ("(for [a [1 2] b [a (* 10 a)] :when (not= b 2) :let [c (+ a b)]] [a b c])", "[[1 1 2] [1 10 11] [2 20 22]]"),
    ("(for [a (range 10) :while (< a 3) b [:x]] [a b])", "[[0 :x] [1 :x] [2 :x]]"),
    ("(doseq [x [1 2]] x)", "nil"),
    # threading
    ("(-> {:a {:b [1 2 3]}} :a :b (nth 1) inc)", "3"),
    ("(->> (range 6) (filter odd?) (map #(* % %)) (reduce +))", "35"),
    ("(as-> 3 n (* n n) (- n 1) [n n])", "[8 8]"),
    ("(cond-> {} true (assoc :a 1) nil (assoc :b 2) 0 (assoc :c 3))", "{:a 1 :c 3}"),
    ("(cond->> [1 2] true (cons 0))", "[0 1 2]"),
    ("(some-> {:a {:b 1}} :a :b inc)", "2"),
    ("(some-> {:a nil} :a (count))", "nil"),
    ("(some->> [1 2] (map inc) first)", "2"),
    ("(-> missing (or 4) inc)", "5"),
    # names
    ("(let [when 3 cond 4] (+ when cond))", "7"),
    ("(let [map {:a 1}] (map :a))", "1"),
    ("(def count 9) count", "9"),
    ("(clojure.set/union #{1} #{2})", "#{1 2}"),
    ('(string/upper-case "a")', '"A"'),
    ("(Math/abs -4)", "4"),
    ("(def v 3) #'v", "3"),
    # collections
    ("[(+ 1 1) {(str 1 2) #{(inc 1)}}]", '[2 {"12" #{2}}]'),
    ("{true 1 1 2 1.0 3}", "{true 1 1 2 1.0 3}"),
    ("#{1 1.0 true [1] [1.0] nil}", "#{1 1.0 true [1] [1.0] nil}"),
    ("({[1 2] :found} [1 2])", ":found"),
    ("(get {{:a 1} 2} {:a 1})", "2"),
]


@pytest.mark.parametrize(("source", "expected"), VALUES)
def test_a_form_gives_its_value(source: str, expected: str) -> None:
    assert same(source, expected)


FAILURES = [
    ("(let [a] a)", "invalid_form"),
    ("(let a a)", "invalid_form"),
    ("(let [a 1])", "invalid_arity"),
    ("(let [[a :as b] [1]] a)", "unsupported_pattern"),
    ("(let [{:as m} {}] m)", "unsupported_pattern"),
    ("(let [{:keys [a] :or {a (inc 1)}} {}] a)", "unsupported_pattern"),
    ("(let [{:keys a} {}] a)", "unsupported_pattern"),
    ("(let [{:keys [1]} {}] 1)", "unsupported_pattern"),
    ("(let [{:nope [a]} {}] a)", "unsupported_pattern"),
    ("(let [{a b} {}] a)", "unsupported_pattern"),
    ("(let [[& a b] []] a)", "unsupported_pattern"),
    ("(let [5 1] 1)", "unsupported_pattern"),
    ("(let [{:keys [a] :or [a 1]} {}] a)", "unsupported_pattern"),
    ("(let [{:keys [a] :or {1 2}} {}] a)", "unsupported_pattern"),
    ("(let [[a] 5] a)", "destructure_error"),
    ("(let [{:keys [a]} [1]] a)", "destructure_error"),
    ("(if-let [x 1 y 2] x)", "invalid_form"),
    ("(when-let x x)", "invalid_form"),
    ("(cond)", "invalid_cond_form"),
    ("(cond 1)", "invalid_cond_form"),
    ("(case)", "invalid_arity"),
    ("(case 1 x 2)", "invalid_form"),
    ("(condp = 1)", "invalid_arity"),
    ("(fn x)", "invalid_form"),
    ("(fn [x])", "invalid_arity"),
    ("(defn f ([x] x) ([x y] y))", "invalid_form"),
    ("(defn f)", "invalid_arity"),
    ("(def)", "invalid_arity"),
    ("(def a/b 1)", "invalid_form"),
    ("(def 5 1)", "invalid_form"),
    ("((fn [a] a))", "arity_mismatch"),
    ("((fn [a & b] a))", "arity_mismatch"),
    ("(recur 1)", "invalid_form"),
    ("(loop [a 1] (inc (recur 2)))", "invalid_form"),
    ("(loop [a 1] (recur))", "arity_mismatch"),
    ("(for [:when true] 1)", "invalid_form"),
    ("(for [x [1] :let 5] x)", "invalid_form"),
    ("(for [x [1] :let [y]] x)", "invalid_form"),
    ("(for [x 5] x)", "type_error"),
    ("(->)", "invalid_thread_form"),
    ("(as-> 1 5)", "invalid_thread_form"),
    ("(cond-> 1 true)", "invalid_thread_form"),
    ("%", "invalid_placeholder"),
    ("#(map #(inc %) %)", "invalid_form"),
    ("#(+ %21 1)", "invalid_form"),
    ("(quote (1 2))", "invalid_form"),
    ("(task)", "invalid_arity"),
    ("nope", "unbound_var"),
    ("(nope 1)", "unbound_var"),
    ("(do later (def later 1))", "unbound_var"),
    ("if", "invalid_form"),
    ("data", "unbound_var"),
    ("no.where/thing", "invalid_form"),
    ("clojure.string/reduce", "invalid_form"),
    ("Double/NOPE", "invalid_form"),
    ("budget/other", "invalid_form"),
    ("(budget/remaining 1)", "invalid_arity"),
    ("(1 2)", "not_callable"),
    ('("f" 1)', "not_callable"),
    ("(nil)", "not_callable"),
    ("(:a)", "invalid_keyword_call"),
    ("(map :a [1] [2] [3])", "invalid_keyword_call"),
    ("({:a 1})", "invalid_map_call"),
    ("(#{1} 1 2)", "arity_error"),
    ("(map {:a 1} [:a])", "type_error"),
]


@pytest.mark.parametrize(("source", "reason"), FAILURES)
def test_a_form_that_is_wrong_fails_for_its_reason(source: str, reason: str) -> None:
    assert reason_of(source) == reason


def test_a_name_that_is_nearly_right_is_offered() -> None:
    from console.ptc.lisp import validate

    failure = validate("(filterr odd? [1])")

    assert failure is not None
    assert "filter" in failure.message


def test_every_side_effect_before_a_failure_is_in_order() -> None:
    from console.ptc.lisp import run

    step = run('(println 1) (step-done :a "one") (println 2) (inc nil) (println 3)')

    assert step.prints == ("1", "2")
    assert step.summaries == {"a": "one"}


def test_a_pipe_of_two_thousand_steps_is_no_deeper_than_one() -> None:
    assert step_of("(-> 0 " + "inc " * 2000 + ")").return_ == 2000


def test_a_form_with_hundreds_of_bindings_is_refused() -> None:
    assert reason_of("(for [" + "a [1] " * 400 + "] a)") == "parse_error"
