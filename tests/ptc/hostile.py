"""Programs that want too much, in one of many ways and often in several at once."""

from __future__ import annotations

import random

# What a value becomes with every round: `a` is the value so far, `i` the number of the round.
_GROWTH = [
    "[a a]", "{:k a :l a}", "(concat [1] a [a])", "(str a a)", "(conj [a] a)", "#{a [a]}", "[a]", "(list a [a] a)",
    "(fn [] a)", "(comp identity (constantly a))", "(interleave [a a] [a a])", "(mapcat (fn [_] [a a]) [1 2])",
    "(zipmap [:a :b] [a a])", "(into [a] [a a])", "(partial vector a)", "(pr-str a)", "(repeatedly a)",
    "(set [a i [a i]])", "{a i [a] i}", "(join \",\" [a a a])", "(into {} [[a i] [[a] i]])", "(apply str [a a a])",
    "(frequencies [a [a]])", "(group-by identity [a [a] [[a]]])", "(format \"%s%s\" a a)",
    "(juxt (constantly a) (fn [] a))",
    "(let [m {:n i :f (fn [x] [a x])}] [m m])", "(assoc {} i a [i] a)", "(partition-all 2 [a a a])", "#'inc",
]  # fmt: skip
_SINKS = [
    "v", "(count (str v))", "(= v v)", "(pr-str v)", "(println v)", "(flatten [v])", "(postwalk identity v)",
    "(sort [v v])", "{v 1}", "(json/generate-string v)", "(frequencies [v v])", "(tree-seq coll? seq v)",
    "(prewalk (fn [x] x) v)", "(distinct [v [v]])", "(pmap identity [v v])", "(return v)", "(def kept v)",
    "(step-done 1 v)", '(task "t" v)', "(reduce conj #{} [v v])", "(compare v [v])", "(tool/keep {:v v})",
    "(group-by identity [v v])", "(sort-by identity [v v])", "(get {1 2} v)", "(v)", "(apply v [v v])", "(fail {:v v})",
]  # fmt: skip
# N becomes a number, small or large.
_BURNERS = [
    "(loop [i 0] (recur (inc i)))", "(defn f [n] (f (inc n))) (f 0)", "(defn f [n] (+ (f n) (f n))) (f 0)",
    "(reduce * (range 2 N))", "(map (fn [i] (map (fn [j] (range j)) (range i))) (range N))",
    "(reduce (fn [s i] (str s i s)) \"x\" (range N))", "(sort-by (fn [x] (reduce + (range x))) (range N))",
    "(apply str (map (fn [_] (apply str (range N))) (range N)))", "(combinations (range N) 7)",
    '(re-seq #"(a|b|ab)*c" (apply str (map (fn [_] "ab") (range N))))', "(pow N N)", "(reduce + (range N N999999))",
    "(for [a (range N) b (range N) c (range N)] [a b c])", "(partition 3 1 (range N00000))",
    "(pcalls (fn [] (loop [] (recur))) (fn [] (range N)))", "(bit-shift-left N N00000)", "(subs (str (range N)) 1)",
    "(get-in {} (range N000))", "(update-in {} (range N) inc)", "(group-by (fn [x] (mod x N)) (range N000))",
    # a value that is walked without end, a comparison that never ends
    "(tree-seq (fn [_] true) (fn [x] [x x]) N)", "(tree-seq (fn [_] true) (fn [x] (range N)) 1)",
    "(prewalk (fn [x] [x x]) N)", "(postwalk (fn [x] (if (coll? x) [x x] x)) [[[[N]]]])",
    "(walk (fn [x] (range N)) (fn [x] (map (fn [_] x) x)) (range N))",
    "(sort (fn [a b] (reduce + (range N00)) true) (range N))", "(sort (fn [a b] (loop [] (recur))) [2 1])",
    "(defn f [a b] (sort f [a b])) (f 1 2)", "(defn f [m] (update m :n f)) (f {})",
    # enormous numbers, texts and templates
    '(format "%N00000000d" 1)', '(format "%.N00000000f" 1.5)', '(format (apply str (map (fn [_] "%s") (range N))) 1)',
    "(reduce (fn [a _] (* a a)) N (range N))", "(reduce (fn [a i] (bit-shift-left a i)) N (range N))",
    '(replace (apply str (range N)) "1" (apply str (range N)))', '(split (apply str (range N)) "")',
    "(count (apply str (range N000)))", '(join (apply str (range N)) (range N))', "(mod (reduce * (range 1 N)) 7)",
    # expressions that other engines never finish
    '(re-matches #"(a+)+b" (apply str (map (fn [_] "a") (range N))))', '(re-find #"(a|aa)+$" (apply str (range N)))',
    '(re-seq #"(?:a?){100}a{100}" (apply str (map (fn [_] "a") (range N))))', '(re-pattern "((a{99}){99}){99}")',
    '(replace (apply str (range N)) #"." "$0$0$0$0")', '(re-split #"" (apply str (range N)))',
    # very many arguments, closures that remember
    "(apply + (range N000))", "(apply vector (range N00000))", "(apply max-key identity (range N000))",
    "(apply map vector (map (fn [i] (range N)) (range N)))", "(apply hash-map (range N0000))",
    "(reduce (fn [memo n] (assoc memo n (+ (get memo (- n 1) 1) (get memo (- n 2) 1)))) {} (range N000))",
    "(defn fib [n memo] (if (< n 2) n (+ (fib (- n 1) [memo n]) (fib (- n 2) {n memo})))) (fib N {})",
    "((reduce comp (map (fn [i] (fn [x] [x x i])) (range N))) 1)", "((apply juxt (map constantly (range N000))) 1)",
    # workers of workers
    "(defn f [n] (pmap f [n n])) (f 0)", "(pmap (fn [i] (pmap (fn [j] (range (* i j))) (range N))) (range N))",
    "(pmap (fn [i] (loop [] (recur))) (range N))", "(pmap (fn [_] (reduce + (range N00000))) (range 8))",
    # texts and tools
    '(json/parse-string (apply str (map (fn [_] "[") (range N000))))', "(json/generate-string (range N00000))",
    "(map (fn [i] (tool/keep {:i (range N)})) (range N))", "(map (fn [i] (println (range N))) (range N))",
    "(map (fn [i] (task i (range N))) (range N))", "(map (fn [i] (step-done i (str (range N)))) (range N))",
    "(doseq [i (range N)] (def x [x i x]))", "(distinct-by (fn [x] [x (range N)]) (range N))",
    "(apropos (apply str (range N)))", "(reduce (fn [a i] (merge a {i a})) {} (range N))",
]  # fmt: skip
_WRAPPERS = [
    "(pmap (fn [_] @) [1 2])", "(map (fn [_] @) (range 3))", "(apply (fn [] @) [])", "((comp identity (fn [_] @)) 1)",
    "(sort (fn [a b] @) [2 1 3])", '(task "w" @)', "(tool/keep {:v @})", "(update {} :a (fn [_] @))",
    "(reduce (fn [_ _] @) 0 [1 2])", "(or nil @)", "(str @)", "(def kept @)", "(return @)", "(let [x @] [x x])",
    "(loop [i 0] (if (< i 3) (do @ (recur (inc i))) i))", "(for [x [1 2]] @)", "(cond-> 1 true (do @))",
    "(count [@ @])", "#{[@]}", "(pcalls (fn [] @) (fn [] @))", "(sort-by (fn [_] @) [3 2 1])", "(println @)",
]  # fmt: skip


def hostile_program(rng: random.Random) -> str:
    """One of them. Some end well after all."""
    program = _burner(rng) if rng.random() < 0.5 else _grower(rng)
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
        program = rng.choice(_WRAPPERS).replace("@", f"(do {program})")
    return program


def _burner(rng: random.Random) -> str:
    return rng.choice(_BURNERS).replace("N", str(rng.choice([7, 60, 900, 5000, 100_000])))


def _grower(rng: random.Random) -> str:
    growth, sink = rng.choice(_GROWTH), rng.choice(_SINKS)
    times = rng.choice([20, 90, 1000, 50_000])
    start = rng.choice(["[]", "{}", "[1 2 3]", '"abc"', "nil", "#{1}", "inc", "2.5"])
    return f"(let [v (reduce (fn [a i] {growth}) {start} (range {times}))] {sink})"
