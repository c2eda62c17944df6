"""Numbers, predicates, strings, regular expressions, JSON, dates, and functions made of functions."""

from __future__ import annotations

import pytest

from .table import reason_of, same

NUMBERS = [
    ("(+)", "0"),
    ("(+ 1 2.5)", "3.5"),
    ("(*)", "1"),
    ("(- 7)", "-7"),
    ("(/ 4)", "0.25"),
    ("(/ 9 3)", "3.0"),
    ("(/ -1 0.0)", "##-Inf"),
    ("(/ 0 0.0)", "##NaN"),
    ("(quot -7 2)", "-3"),
    ("(quot 7.5 2)", "3.0"),
    ("(rem -7 2)", "-1"),
    ("(rem 7.5 2)", "1.5"),
    ("(mod -7 2)", "1"),
    ("(inc 1.5)", "2.5"),
    ("(* 99999999999 99999999999)", "9999999999800000000001"),
    ("(+ 4611686018427387904 4611686018427387904)", "9223372036854775808"),
    ("(max 1 2.5)", "2.5"),
    ("(min 3 ##NaN)", "##NaN"),
    ("(abs -2.5)", "2.5"),
    ("(floor -1.5)", "-2"),
    ("(ceil -1.5)", "-1"),
    ("[(round 0.5) (round -0.5) (round 7)]", "[1 -1 7]"),
    ("(int -3.9)", "-3"),
    ("(double 2)", "2.0"),
    ("(sqrt 16)", "4.0"),
    ("(pow 2 10)", "1024.0"),
    ("(pow 0 -1)", "##Inf"),
    ("[(floor ##Inf) (ceil ##-Inf) (round ##NaN) (trunc ##Inf)]", "[##Inf ##-Inf ##NaN ##Inf]"),
    ("[(mod ##NaN 2) (rem 5 ##Inf) (quot 1e308 0.1)]", "[##NaN ##NaN ##Inf]"),
    ("[(/ (bit-shift-left 1 2000) 0.0) (/ -2 -0.0)]", "[##Inf ##Inf]"),
    ("(pow -8 0.5)", "##NaN"),
    ("(pow 10 400)", "##Inf"),
    ("[(= 1 1.0) (= true 1) (= nil false) (= [1] [1.0])]", "[true false false true]"),
    ("(= {:a [1 #{2}]} {:a [1 #{2}]})", "true"),
    ("(= {:a 1} {:b 1})", "false"),
    ("(= [1 2] [1])", "false"),
    ("(not= 1 1 2)", "true"),
    ("(== 1 1.0 1)", "true"),
    ("[(< 1 2 3) (< 1 3 2) (>= 3 3 1) (> 2)]", "[true false true true]"),
    ('[(< 1 nil) (< nil 1) (< "a" [1]) (< {} [])]', "[true false false true]"),
    ("[(bit-and 12 10) (bit-or 12 3) (bit-xor 5 1) (bit-and-not 7 2) (bit-not 5)]", "[8 15 4 5 -6]"),
    ("[(bit-shift-left 1 5) (bit-shift-right 32 2) (bit-test 4 2)]", "[32 8 true]"),
    ("[(bit-set 0 1) (bit-clear 7 0) (bit-flip 1 0)]", "[2 6 0]"),
]
PREDICATES = [
    ("[(nil? nil) (some? nil) (true? true) (false? nil) (boolean? false)]", "[true false true false true]"),
    ("[(number? 1) (number? true) (int? 1.0) (float? 1.0)]", "[true false false true]"),
    ("[(zero? 0.0) (pos? 1) (neg? 1) (even? 2.0) (odd? 3) (odd? 1.5)]", "[true true false true true false]"),
    ('[(string? "a") (keyword? :a) (char? "ab") (regex? #"a")]', "[true true false true]"),
    ("[(coll? {}) (coll? nil) (sequential? []) (associative? #{})]", "[true false true false]"),
    ("[(fn? inc) (fn? (fn [] 1)) (ifn? :a) (ifn? {}) (ifn? 1)]", "[true true true true false]"),
    ('[(type 1) (type []) (type nil) (type inc) (type #"a")]', "[:number :vector nil :function :regex]"),
    ("[(distinct? 1 1.0) (distinct? [1] [1])]", "[true false]"),
    ('[(count "añ") (count "👩‍👩‍👧") (count "🇩🇪🇫🇷") (count "e\u0301") (count "\r\n") (count "각")]', "[2 1 2 1 1 1]"),
    ("[(empty? nil) (empty? #{}) (empty? [0])]", "[true true false]"),
    ("[(not nil) (boolean 0)]", "[true true]"),
]
STRINGS = [
    ('(str 1 nil :a "b" 1.5 [1 "x"] {:k nil})', '"1:ab1.5[1 \\"x\\"]{:k nil}"'),
    ('(pr-str "a\\n" \\b nil #{:x})', '"\\"a\\\\n\\" \\"b\\" nil #{:x}"'),
    ("(str 1e21 1e-7 ##Inf ##NaN)", '"1.0e211.0e-7InfinityNaN"'),
    ('(pr-str [##Inf ##-Inf #"a+" (fn [x] x) \'sym])', '"[##Inf ##-Inf #\\"a+\\" #fn[fn] sym]"'),
    ('(subs "hello" 1 3)', '"el"'),
    ('(subs "hello" 3 1)', '""'),
    ('(subs "añb" 1)', '"ñb"'),
    ('(join "-" [1 nil :a])', '"1--:a"'),
    ('(split "a,b," ",")', '["a" "b" ""]'),
    ('(split "añ" "")', '["a" "ñ"]'),
    ('(split-lines "a\\r\\nb\\n")', '["a" "b"]'),
    ('[(split-lines "\\n") (split-lines "")]', "[[] []]"),
    ('[(trim " a ") (triml " a ") (trimr " a ") (trim-newline "a\\n\\r")]', '["a" "a " " a" "a"]'),
    ('[(upper-case "ß") (downcase "ÀB")]', '["SS" "àb"]'),
    ('[(blank? nil) (blank? " \\t") (blank? "a")]', "[true true false]"),
    ('(replace "a1b22" #"(\\d)" "<$1$9>")', '"a<1$9>b<2$9><2$9>"'),
    ('(replace "aaa" "a" "bb")', '"bbbbbb"'),
    ('[(starts-with? "ab" "a") (ends-with? "ab" "a") (includes? "ab" "b")]', "[true false true]"),
    ('[(index-of "añña" "a" 1) (index-of "ab" "z") (index-of "ab" "a" 9)]', "[3 nil nil]"),
    ('[(last-index-of "abab" "ab") (last-index-of "abab" "ab" 1) (last-index-of "a" "z")]', "[2 0 nil]"),
    ('[(name :a) (keyword "a-b") (keyword nil)]', '["a" :a-b nil]'),
    (
        '(format "%s|%d|%.1f|%x|%X|%o|%e|%b|%S|%%" nil 5 2 255 255 8 1.5 nil :a)',
        '"|5|2.0|ff|FF|10|1.500000e+00|false|:A|%"',
    ),
    ('(format "%f %05d" ##NaN 7)', '"NaN 7"'),
    ('(format "%.1f %.0f %.1f %.2f" 1.25 2.5 -0.25 1e20)', '"1.3 3 -0.3 100000000000000000000.00"'),
    ('(split "abc" #"")', '["a" "b" "c"]'),
    ('[(parse-long "-7") (parse-long "7.0") (parse-int 5)]', "[-7 nil nil]"),
    (
        '[(parse-double "1e3") (parse-double "x") (parse-double "-Infinity") (parse-double nil)]',
        "[1000.0 nil ##-Inf nil]",
    ),
    ('[(parse-boolean "false") (parse-boolean "no") (parse-boolean 1)]', "[false nil nil]"),
]
REGEX_AND_JSON = [
    ('(re-find #"(a)(b)?" "xa")', '["a" "a" nil]'),
    ('(re-find "b+" "abbb")', '"bbb"'),
    ('(re-matches #"a+" "aab")', "nil"),
    ('(re-seq #"[a-z]" "a1b")', '["a" "b"]'),
    ('(re-split #",\\s*" "a, b,c")', '["a" "b" "c"]'),
    ('[(extract "k=(\\w+)" "k=v") (extract "k" "k=v") (extract "k" "k=v" 0)]', '["v" nil "k"]'),
    ('[(extract-int "n=(\\w+)" "n=5") (extract-int "n=(\\w+)" "n=x" 1 9)]', "[5 9]"),
    ('(= (re-pattern "a") #"a")', "true"),
    ('(json/parse-string "{\\"a\\": [1, 2.5, null, true]}")', '{"a" [1 2.5 nil true]}'),
    ('[(json/parse-string "[NaN]") (json/parse-string 5) (json/parse-string "")]', "[nil nil nil]"),
    ('(json/generate-string {"b" [1 2.5 nil] "a" {1 "é"}})', '"{\\"a\\":{\\"1\\":\\"é\\"},\\"b\\":[1,2.5,null]}"'),
    ("[(json/generate-string {:a 1}) (json/generate-string #{1}) (json/generate-string inc)]", "[nil nil nil]"),
    ("(json/generate-string {true 1})", "nil"),
    ('(json/generate-string [(parse "2026-05-01")])', '"[\\"2026-05-01\\"]"'),
    ('(str (parse "2026-05-01T10:00:00+02:00"))', '"2026-05-01T08:00:00Z"'),
    ('(= (LocalDate/parse "2026-05-01") (parse "2026-05-01"))', "true"),
]
COMBINATORS = [
    ("((comp inc #(* 2 %)) 5)", "11"),
    ("((comp) 5)", "5"),
    ("((partial map inc) [1])", "[2]"),
    ("((partial {:a 1} :b) 9)", "9"),
    ("((complement :a) {:a nil})", "true"),
    ("((constantly 1) 2 3)", "1"),
    ("((every-pred odd? pos?) 1 3)", "true"),
    ("((some-fn :a :b) {:b 2})", "2"),
    ("((fnil + 1 2) nil nil)", "3"),
    ("((juxt :a count) {:a 1})", "[1 1]"),
    ("(apply + 1 [2 3])", "6"),
    ("(apply hash-map [:a 1])", "{:a 1}"),
    ("(apply max #{3 1})", "3"),
    ("(identity nil)", "nil"),
]


@pytest.mark.parametrize(("source", "expected"), NUMBERS + PREDICATES + STRINGS + REGEX_AND_JSON + COMBINATORS)
def test_a_call_gives_its_value(source: str, expected: str) -> None:
    assert same(source, expected)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('(+ 1 "2")', "type_error"),
        ("(- true 1)", "type_error"),
        ("(/ 1 0)", "arithmetic_error"),
        ("(mod 1 0)", "arithmetic_error"),
        ("(quot ##Inf 1)", "arithmetic_error"),
        ("(int ##NaN)", "arithmetic_error"),
        ("(* 1.5 (bit-shift-left 1 2000))", "arithmetic_error"),
        ("(rem (bit-shift-left 1 2000) 1.5)", "arithmetic_error"),
        ("(avg [1.5 (bit-shift-left 1 2000)])", "arithmetic_error"),
        ("(avg [(bit-shift-left 1 2000)])", "arithmetic_error"),
        ("((comp) 1 2)", "arity_error"),
        ("(max)", "arity_error"),
        ("(bit-and 1 2.5)", "type_error"),
        ("(bit-shift-left 1 -1)", "type_error"),
        ("(bit-set 1 9999999999)", "memory_exceeded"),
        ("(zero? nil)", "type_error"),
        ("(count 5)", "type_error"),
        ("(subs 5 1)", "type_error"),
        ("(name 5)", "type_error"),
        ('(keyword "a b")', "runtime_error"),
        ("(keyword 1.5)", "type_error"),
        ('(format "%s")', "arity_error"),
        ('(format "%d" "x")', "type_error"),
        ('(format "%f" "x")', "type_error"),
        ('(format "%q" 1)', "runtime_error"),
        ('(format "%.999f" 1)', "runtime_error"),
        ('(format "%f" (bit-shift-left 1 2000))', "arithmetic_error"),
        ('(re-pattern "(")', "runtime_error"),
        ('(re-pattern "(?=a)")', "runtime_error"),
        ('(re-find 5 "a")', "type_error"),
        ("(apply + nil)", "type_error"),
        ("(apply +)", "type_error"),
        ('(parse "yesterday")', "runtime_error"),
        ('(parse "2026-05-01T10:00:00")', "runtime_error"),
    ],
)
def test_a_wrong_call_fails_for_its_reason(source: str, reason: str) -> None:
    assert reason_of(source) == reason


def test_a_long_number_has_all_its_digits() -> None:
    import math

    same("(str (reduce * (range 1 3000)))", f'"{_digits(math.factorial(2999))}"')
    same("(count (str (- (reduce * (range 1 3000)))))", str(len(_digits(math.factorial(2999))) + 1))


def _digits(number: int) -> str:
    parts = []
    while number:
        number, part = divmod(number, 10**1000)
        parts.append(str(part).rjust(1000, "0"))
    return "".join(reversed(parts)).lstrip("0")
