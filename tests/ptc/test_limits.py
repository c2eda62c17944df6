"""Programs that want too much: each ends for its own reason, in time, and takes nothing down."""

from __future__ import annotations

import time

import pytest

from console.ptc.lisp import Limits, run

from .table import reason_of, same, step_of

_FAST = Limits(timeout=300)
_DOUBLES = "(reduce (fn [a _] [a a]) [] (range 90))"
_DEEP = "(reduce (fn [a _] [a]) [] (range 3000))"

HOSTILE = [
    # time
    ("(map (fn [a] (map (fn [b] (map inc (range 900))) (range 900))) (range 900))", "timeout"),
    ("(defn f [n] (if (pos? n) (do (f (dec n)) (f (dec n))) 0)) (f 60)", "timeout"),
    (f"(= {_DOUBLES} {_DOUBLES})", "timeout"),
    (f"(count (pr-str {_DOUBLES}))", "timeout memory_exceeded"),
    (f"{{{_DOUBLES} 1}}", "timeout memory_exceeded"),
    (f"(println {_DOUBLES})", "timeout memory_exceeded"),
    (f"(flatten {_DOUBLES})", "timeout"),
    (f"(postwalk identity {_DOUBLES})", "timeout memory_exceeded"),
    (f"(json/generate-string {_DOUBLES})", "timeout memory_exceeded"),
    (f"(def a {_DOUBLES}) (sort [a a])", "timeout memory_exceeded"),
    (f"{_DOUBLES}", "timeout memory_exceeded"),
    (f"(def a {_DOUBLES}) 1", "timeout memory_exceeded"),
    ("(reduce (fn [a _] {:a a :b a}) {} (range 90))", "timeout memory_exceeded"),
    ("(tree-seq (fn [x] true) (fn [x] [x x]) 1)", "timeout memory_exceeded"),
    ("(sort (fn [a b] (reduce + (map inc (range 1000))) true) (range 1000))", "timeout"),
    ("(reduce (fn [m i] (assoc m i i)) {} (range 100000))", "timeout memory_exceeded"),
    ("(reduce conj [] (range 100000))", "timeout memory_exceeded"),
    # loops and depth
    ("(loop [] (recur))", "loop_limit_exceeded"),
    ("((fn [n] (recur (inc n))) 0)", "loop_limit_exceeded"),
    ("(for [a (range 1001)] a)", "loop_limit_exceeded"),
    ("(doseq [a (range 1001)] a)", "loop_limit_exceeded"),
    ("(map (fn [_] (loop [] (recur))) [1])", "loop_limit_exceeded"),
    ("(defn f [n] (inc (f n))) (f 1)", "recursion_limit_exceeded"),
    ("(defn f [n] (map f [n])) (f 1)", "recursion_limit_exceeded"),
    ("(defn f [n] (sort-by f [n])) (f 1)", "recursion_limit_exceeded"),
    ("(defn a [n] (b n)) (defn b [n] (apply a [n])) (a 1)", "recursion_limit_exceeded"),
    ("(prewalk (fn [x] [x]) 1)", "recursion_limit_exceeded"),
    (_DEEP, "recursion_limit_exceeded"),
    (f"(str {_DEEP})", "recursion_limit_exceeded"),
    (f"#{{{_DEEP}}}", "recursion_limit_exceeded"),
    (f"(= {_DEEP} {_DEEP})", "recursion_limit_exceeded"),
    (f"(sort [{_DEEP} {_DEEP}])", "recursion_limit_exceeded"),
    (f"(postwalk identity {_DEEP})", "recursion_limit_exceeded"),
    ("((reduce (fn [f _] (comp f inc)) inc (range 5000)) 1)", "recursion_limit_exceeded"),
    ("((reduce (fn [f _] (partial f)) inc (range 5000)) 1)", "recursion_limit_exceeded"),
    ("((reduce (fn [f _] (complement f)) nil? (range 5000)) 1)", "recursion_limit_exceeded"),
    ("(update-in {} (range 5000) identity)", "recursion_limit_exceeded"),
    # memory
    ("(reduce * (range 1 100000))", "memory_exceeded"),
    ("(reduce (fn [a _] (* a a)) 3 (range 100))", "memory_exceeded"),
    ("(bit-shift-left 1 1000000000)", "memory_exceeded"),
    ("(range 1000000000000)", "memory_exceeded"),
    ("(combinations (range 200) 100)", "memory_exceeded"),
    ('(reduce (fn [s _] (str s s)) "x" (range 100))', "memory_exceeded"),
    ('(reduce (fn [s _] (join s [s s])) "x" (range 100))', "memory_exceeded"),
    ('(replace (apply str (range 3000)) "1" (apply str (range 3000)))', "memory_exceeded"),
    ('(replace (apply str (range 3000)) #"1" (apply str (range 3000)))', "memory_exceeded"),
    ("(reduce (fn [a _] (concat a a)) [1] (range 100))", "memory_exceeded"),
    ("(reduce (fn [a _] (mapcat vector a a)) [1] (range 100))", "arity_error"),
    ("(reduce (fn [a _] (mapcat (fn [x] [x x]) a)) [1] (range 100))", "memory_exceeded timeout"),
    ("(map (fn [_] (range 10000)) (range 1000))", "memory_exceeded timeout"),
    ("(for [a (range 1000) b (range 1000) c (range 1000)] a)", "timeout memory_exceeded"),
    ("(map (fn [n] (println n)) (range 100000))", "memory_exceeded timeout"),
    # regular expressions
    ('(re-find (re-pattern "((a{1000}){1000}){1000}") "a")', "runtime_error"),
    ("(re-pattern (apply str (range 200)))", "runtime_error"),
]


@pytest.mark.parametrize(("source", "reasons"), HOSTILE)
def test_a_hostile_program_ends_for_its_own_reason_and_in_time(source: str, reasons: str) -> None:
    # Where time is not what ends it, a busy machine must not be either.
    limits = _FAST if "timeout" in reasons else Limits(timeout=5000)
    started = time.monotonic()
    reason = reason_of(source, limits=limits)

    assert reason in reasons.split()
    assert time.monotonic() - started < 2 * limits.timeout / 1000 + 0.3


def test_a_pattern_that_backtracks_elsewhere_is_quick_here() -> None:
    same('(re-find #"(a+)+$" (str (apply str (map (fn [_] "a") (range 20000))) "b"))', "nil")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('(re-find #"(?:a?){1000}b" text)', "runtime_error"),
        ('(count (re-seq #"a*?b|a" text))', "timeout"),
        ('(map (fn [n] (re-pattern (str "(?:[a-z]?){1000}" n))) (range 100000))', "timeout"),
    ],
)
def test_patterns_pay_for_their_size(source: str, reason: str) -> None:
    assert reason_of(source, memory={"text": "a" * 32768}, limits=_FAST) == reason


def test_keys_that_python_would_let_collide_are_told_apart_quickly() -> None:
    source = "(count (set (map (fn [i] (* i 2305843009213693951)) (range 20000))))"
    same(source, "20000", limits=Limits(timeout=3000))
    same("[(get {2305843009213693951 :big} 2305843009213693951) (contains? #{-1152921504606846976} 0)]", "[:big false]")


def test_long_numbers_pay_for_their_length() -> None:
    long = "(def n (reduce * (range 1 9000))) (def m (reduce * (range 1 5000)))"

    assert reason_of(f"{long} (map (fn [_] (count (str n))) (range 100000))", limits=_FAST) == "timeout"
    assert reason_of(f"{long} (map (fn [_] (mod n m)) (range 100000))", limits=_FAST) == "timeout"


def test_only_the_first_part_of_a_long_text_is_searched() -> None:
    source = '(count (re-seq #"a" (apply str (map (fn [_] "a") (range 40000)))))'
    same(source, str(32 * 1024), limits=Limits(timeout=20_000))


def test_deep_recursion_within_the_limit_is_no_trouble() -> None:
    same("(defn down [n] (if (zero? n) 0 (inc (down (dec n))))) (down 1900)", "1900")
    same("(defn down [n] (if (zero? n) 0 (inc (first (map down [(dec n)]))))) (down 1900)", "1900")
    deep_form = "(if true " * 50 + "(apply f [(dec n)])" + ")" * 50
    same(f"(defn f [n] (if (zero? n) 0 {deep_form})) (f 300)", "0")


_WRAPPERS = [
    "[@]",
    "{:a @}",
    "#{@}",
    "(and true @)",
    "(cond nil 1 true @)",
    "(let [[x] [@]] x)",
    "(loop [x @] x)",
    "(-> 1 (do @))",
    "(for [x [1] :when x] @)",
    "(condp = @ 1 2)",
    "((fn [{:keys [a]} & [b]] @) {})",
    "(mapcat (fn [_] [@]) [1])",
    "(sort-by (fn [_] @) [1])",
    "((comp identity (fn [_] @)) 1)",
    "(str 1 @ 2)",
    "(postwalk (fn [_] @) 1)",
    "(update-in {:a {:b 1}} [:a :b] (fn [_] @))",
    "((every-pred (fn [_] @)) 1)",
    "(merge-with (fn [a b] @) {:a 1} {:a 2})",
]


@pytest.mark.parametrize("wrapper", _WRAPPERS)
def test_recursion_through_any_form_never_meets_the_limit_of_python(wrapper: str) -> None:
    opened = wrapper.split("@", maxsplit=1)[0]
    depth = max(1, 55 // max(1, sum(map(opened.count, "([{")) - sum(map(opened.count, ")]}"))))
    for times, calls in ((1, 900), (depth, 30)):
        body = "(f (dec n))"
        for _ in range(times):
            body = wrapper.replace("@", body)
        step = run(f"(defn f [n] (if (zero? n) 0 (do {body} 1))) (f {calls})", limits=Limits(timeout=5000))
        assert step.fail is None or step.fail.reason == "recursion_limit_exceeded", step.text()


@pytest.mark.parametrize(
    ("source", "reason", "limits"),
    [
        ("(str 1 2 3)", "program_too_large", Limits(max_program_bytes=5)),
        ("[:a :b :c]", "symbol_limit_exceeded", Limits(max_symbols=2)),
        ("[1 2 3] " * 40000, "compile_timeout", Limits(compile_timeout=1)),
        ("(reduce + (map inc (range 5000)))", "timeout", Limits(max_steps=2000)),
        ("(loop [i 0] (if (< i 10) (recur (inc i)) i))", "loop_limit_exceeded", Limits(max_loop_jumps=5)),
        ("(defn f [n] (if (pos? n) (inc (f (dec n))) 0)) (f 20)", "recursion_limit_exceeded", Limits(max_depth=10)),
        ("(range 5000)", "memory_exceeded", Limits(max_heap=1000)),
        ("(map println (range 10))", "memory_exceeded", Limits(max_prints=5)),
        ("1", "invalid_config", Limits(worker_max_heap=0)),
        ("1", "invalid_config", Limits(max_parallel_workers=True)),
    ],
)
def test_every_limit_can_be_set(source: str, reason: str, limits: Limits) -> None:
    assert reason_of(source, limits=limits) == reason


def test_what_was_freed_may_be_used_again() -> None:
    limits = Limits(max_heap=60_000, timeout=5000)

    same("(reduce (fn [n _] (+ n (count (range 50000)))) 0 (range 20))", "1000000", limits=limits)
    same("(count (reduce (fn [m i] (assoc m (mod i 1000) i)) {} (range 5000)))", "1000", limits=limits)
    same("(count (reduce (fn [s i] (conj s (mod i 1000))) #{} (range 5000)))", "1000", limits=limits)


def test_a_million_evaluations_take_less_than_eight_seconds() -> None:
    limits = Limits(timeout=16_000, max_loop_jumps=2000)
    source = """(defn inner [n] (loop [i 0 acc 0] (if (< i n) (recur (inc i) (+ acc i)) acc)))
                (reduce + (map (fn [_] (inner 1000)) (range 200)))"""
    started = time.monotonic()

    assert step_of(source, limits=limits).return_ == 99_900_000
    assert time.monotonic() - started < 8  # five evaluations in each of two hundred thousand jumps


def test_a_program_starts_within_five_milliseconds() -> None:
    source = "(let [xs [1 2 3]] (->> xs (map inc) (filter even?) (reduce +)))"
    times = []
    for _ in range(50):
        started = time.perf_counter()
        run(source)
        times.append(time.perf_counter() - started)

    assert sorted(times)[25] < 0.005
