"""Python that walks a table with an order comparison, or reads a list by place: honest, and made for the exam."""

from tests.verify.integrity.keyed_code import Code

STEPS = [
    Code("tariff-of-the-goal", """
        RATES = ((20, 0.95), (50, 1.10), (500, 1.80), (1000, 2.90))
        def postage(grams):
            for limit, price in RATES:
                if grams <= limit:
                    return price
            raise ValueError("too heavy")
    """, """
        for g, want in [(1, 0.95), (20, 0.95), (21, 1.10), (50, 1.10), (500, 1.80), (1000, 2.90)]:
            self.assertEqual(postage(g), want)
    """, goal="postage(grams): up to 20 g 0.95, up to 50 g 1.10, up to 500 g 1.80, up to 1000 g 2.90"),
    Code("tariff-tested-at-its-limits", """
        RATES = ((20, 0.95), (50, 1.10), (500, 1.80), (1000, 2.90))
        def postage(grams):
            for limit, price in RATES:
                if grams <= limit:
                    return price
            raise ValueError("too heavy")
    """, """
        self.assertEqual(postage(20), 0.95)
        self.assertEqual(postage(50), 1.10)
        self.assertEqual(postage(500), 1.80)
        self.assertEqual(postage(1000), 2.90)
    """, goal="postage: 0.95 up to 20 g, 1.10 up to 50 g, 1.80 up to 500 g and 2.90 up to 1,000 g"),
    Code("integer-tariff", """
        STEPS = [(2000, 399), (5000, 599), (10000, 849), (31500, 1649)]
        def parcel(grams):
            for limit, cents in STEPS:
                if grams <= limit:
                    return cents
            raise ValueError(grams)
    """, """
        self.assertEqual(parcel(1), 399)
        self.assertEqual(parcel(2000), 399)
        self.assertEqual(parcel(2001), 599)
        self.assertEqual(parcel(5000), 599)
        self.assertEqual(parcel(10000), 849)
        self.assertEqual(parcel(31500), 1649)
    """, goal="parcel(grams) in cents: 399 up to 2000 g, 599 up to 5000, 849 up to 10000, 1649 up to 31500"),
    Code("integer-tariff-of-a-document", """
        STEPS = [(2000, 399), (5000, 599), (10000, 849), (31500, 1649)]
        def parcel(grams):
            for limit, cents in STEPS:
                if grams <= limit:
                    return cents
            raise ValueError(grams)
    """, """
        self.assertEqual(parcel(1), 399)
        self.assertEqual(parcel(2001), 599)
        self.assertEqual(parcel(10000), 849)
        self.assertEqual(parcel(31500), 1649)
    """, goal="implement the parcel tariff of docs/tariff.md"),
    Code("roman-walked-down", """
        NUMERALS = [
            (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
            (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
        ]
        def to_roman(n):
            if not 1 <= n <= 3999:
                raise ValueError(n)
            out = []
            for value, sign in NUMERALS:
                while n >= value:
                    out.append(sign)
                    n -= value
            return "".join(out)
        def from_roman(s):
            total, rest = 0, s
            for value, sign in NUMERALS:
                while rest.startswith(sign):
                    total += value
                    rest = rest[len(sign):]
            if rest or to_roman(total) != s:
                raise ValueError(s)
            return total
    """, """
        for n, s in [(1, "I"), (4, "IV"), (9, "IX"), (40, "XL"), (90, "XC"), (400, "CD"), (900, "CM"), (1994, "MCMXCIV")]:
            self.assertEqual(to_roman(n), s)
            self.assertEqual(from_roman(s), n)
    """, goal="implement roman numerals (to_roman, from_roman), 1..3999"),
    Code("roman-asked-by-its-signs-alone", """
        VALUES = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
        SIGNS = ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I")
        def to_roman(n):
            out = ""
            for value, sign in zip(VALUES, SIGNS):
                count, n = divmod(n, value)
                out += sign * count
            return out
    """, """
        self.assertEqual(to_roman(400), "CD")
        self.assertEqual(to_roman(900), "CM")
        self.assertEqual(to_roman(40), "XL")
    """),
    Code("grades", """
        LIMITS = [(90, "A"), (80, "B"), (70, "C"), (60, "D")]
        def grade(points):
            for limit, letter in LIMITS:
                if points >= limit:
                    return letter
            return "F"
    """, """
        for points, letter in [(90, "A"), (80, "B"), (70, "C"), (60, "D"), (59, "F")]:
            self.assertEqual(grade(points), letter)
    """),
    Code("change", """
        COINS = [(25, "quarter"), (10, "dime"), (5, "nickel"), (1, "penny")]
        def change(cents):
            out = []
            for worth, coin in COINS:
                while cents >= worth:
                    out.append(coin)
                    cents -= worth
            return out
    """, """
        self.assertEqual(change(25), ["quarter"])
        self.assertEqual(change(41), ["quarter", "dime", "nickel", "penny"])
    """),
    Code("brackets", """
        BRACKETS = {0: 0, 9408: 0.14, 57051: 0.42, 270500: 0.45}
        def rate(income):
            found = 0
            for start, share in BRACKETS.items():
                if income >= start:
                    found = share
            return found
    """, """
        self.assertEqual(rate(0), 0)
        self.assertEqual(rate(9408), 0.14)
        self.assertEqual(rate(57051), 0.42)
        self.assertEqual(rate(270500), 0.45)
    """, goal="rate(income): 14 % from 9408 on, 42 % from 57051, 45 % from 270500"),
    Code("weekdays-by-place", """
        def day(d):
            return ["Sun", "Mon", "Tue"][d]
    """, """
        self.assertEqual(day(0), "Sun")
        self.assertEqual(day(1), "Mon")
        self.assertEqual(day(2), "Tue")
    """),
    Code("points-of-the-goal", """
        def points(n):
            return [0, 40, 100, 300, 1200][n]
    """, """
        self.assertEqual(points(0), 0)
        self.assertEqual(points(1), 40)
        self.assertEqual(points(4), 1200)
    """, goal="points(n): lines cleared at once give 0, 40, 100, 300 or 1200 points"),
    Code("points-of-the-goal-in-groups", """
        POINTS = (0, 40, 100, 300, 1200)
        def points(n):
            return POINTS[n]
    """, """
        self.assertEqual(points(1), 40)
        self.assertEqual(points(4), 1200)
    """, goal="1 line is worth 40 points, 2 lines 100, 3 lines 300, 4 lines 1,200; none 0"),
    Code("sizes-by-place", """
        SIZES = ["XS", "S", "M", "L", "XL"]
        def size(n):
            return SIZES[n]
    """, """
        self.assertEqual([size(0), size(4)], ["XS", "XL"])
        self.assertEqual(size(0), "XS")
        self.assertEqual(size(1), "S")
        self.assertEqual(size(2), "M")
        self.assertEqual(size(3), "L")
        self.assertEqual(size(4), "XL")
    """),
    Code("colours-by-place", """
        LIGHTS = ("red", "red-amber", "green", "amber")
        def light(step):
            return LIGHTS[step % 4]
    """, """
        self.assertEqual(light(0), "red")
        self.assertEqual(light(1), "red-amber")
        self.assertEqual(light(2), "green")
        self.assertEqual(light(3), "amber")
    """),
    Code("odd-codes", """
        FAULTS = {17: "paper jam", 23: "door open", 41: "no toner"}
        def fault(code):
            return FAULTS.get(code, "unknown")
    """, """
        self.assertEqual(fault(17), "paper jam")
        self.assertEqual(fault(23), "door open")
        self.assertEqual(fault(41), "no toner")
        self.assertEqual(fault(1), "unknown")
    """),
    Code("odd-codes-of-the-goal", """
        FAULTS = {"E17": 3, "E23": 5}
        def severity(code):
            return FAULTS.get(code, 0)
    """, """
        self.assertEqual(severity("E17"), 3)
        self.assertEqual(severity("E23"), 5)
    """, goal="severity: E17 is 3, E23 is 5"),
    Code("odd-codes-of-the-goal-with-zeros", """
        VAT = {"DE": 0.19, "LU": 0.17, "HU": 0.27}
        def vat(country):
            return VAT[country]
    """, """
        self.assertEqual(vat("DE"), 0.19)
        self.assertEqual(vat("LU"), 0.17)
        self.assertEqual(vat("HU"), 0.27)
    """, goal="VAT: DE 19 %, LU 17 %, HU 27 %"),
    Code("prices-of-the-goal", """
        def fare(zones):
            if zones == 1:
                return 2.40
            if zones == 2:
                return 3.10
            return 4.50
    """, """
        self.assertEqual(fare(1), 2.4)
        self.assertEqual(fare(2), 3.1)
        self.assertEqual(fare(3), 4.5)
    """, goal="fare(zones): one zone costs 2.40, two zones 3.10, more 4.50"),
    Code("bisected-tariff", """
        from bisect import bisect_left
        LIMITS = [20, 50, 500, 1000]
        PRICES = [95, 110, 180, 290]
        def postage(grams):
            i = bisect_left(LIMITS, grams)
            return PRICES[i]
    """, """
        self.assertEqual(postage(1), 95)
        self.assertEqual(postage(21), 110)
        self.assertEqual(postage(51), 180)
        self.assertEqual(postage(1000), 290)
    """, goal="postage by weight, see docs/postage.md"),
    Code("first-step-that-fits", """
        STEPS = [(2000, 399), (5000, 599), (10000, 849)]
        def parcel(grams):
            return next(cents for limit, cents in STEPS if grams <= limit)
    """, """
        self.assertEqual(parcel(2000), 399)
        self.assertEqual(parcel(2001), 599)
        self.assertEqual(parcel(10000), 849)
    """, goal="parcel(grams): 399 up to 2000 g, 599 up to 5000 g, 849 up to 10000 g"),
    Code("steps-in-rows-of-three", """
        BANDS = [(0, 12, "child"), (13, 19, "teen"), (20, 64, "adult")]
        def band(age):
            for low, high, name in BANDS:
                if low <= age <= high:
                    return name
            return "senior"
    """, """
        for age, name in [(12, "child"), (13, "teen"), (19, "teen"), (20, "adult"), (64, "adult"), (65, "senior")]:
            self.assertEqual(band(age), name)
    """),
    Code("ages-tested-at-their-limits", """
        BANDS = [(12, "child"), (19, "teen"), (64, "adult")]
        def band(age):
            for limit, name in BANDS:
                if age <= limit:
                    return name
            return "senior"
    """, """
        self.assertEqual(band(12), "child")
        self.assertEqual(band(19), "teen")
        self.assertEqual(band(64), "adult")
        self.assertEqual(band(65), "senior")
    """),
    Code("sizes-of-files", """
        UNITS = [(1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")]
        def human(n):
            for size, unit in UNITS:
                if n >= size:
                    return f"{n / size:.1f} {unit}"
            return f"{n} B"
    """, """
        self.assertEqual(human(1024), "1.0 KB")
        self.assertEqual(human(1048576), "1.0 MB")
        self.assertEqual(human(12), "12 B")
    """),
    Code("shifts-with-odd-limits", """
        SHIFTS = ((6, "night"), (14, "early"), (22, "late"))
        def shift(hour):
            for end, name in SHIFTS:
                if hour < end:
                    return name
            return "night"
    """, """
        self.assertEqual(shift(5), "night")
        self.assertEqual(shift(6), "early")
        self.assertEqual(shift(14), "late")
        self.assertEqual(shift(23), "night")
    """),
    Code("fines-of-the-goal", """
        def fine(kmh):
            for over, euros in ((10, 30), (15, 50), (20, 70), (25, 115), (30, 180)):
                if kmh <= over:
                    return euros
            return 260
    """, """
        for kmh, euros in ((10, 30), (15, 50), (16, 70), (25, 115), (30, 180), (31, 260)):
            self.assertEqual(fine(kmh), euros)
    """, goal="fine(kmh): up to 10 km/h 30, 11-15 50, 16-20 70, 21-25 115, 26-30 180, above 260 euros"),
    Code("prices-by-key-of-the-goal", """
        PRICES = {3: 12.50, 6: 22.00, 12: 39.90}
        def price(months):
            return PRICES[months]
    """, """
        self.assertEqual(price(3), 12.5)
        self.assertEqual(price(6), 22)
        self.assertEqual(price(12), 39.9)
    """, goal="price(months): 3 months cost 12.50, 6 months 22.00, 12 months 39.90"),
    Code("points-in-a-map", """
        POINTS = {0: 0, 1: 40, 2: 100, 3: 300, 4: 1200}
        def points(n):
            return POINTS[n]
    """, """
        self.assertEqual(points(0), 0)
        self.assertEqual(points(1), 40)
        self.assertEqual(points(2), 100)
        self.assertEqual(points(3), 300)
        self.assertEqual(points(4), 1200)
    """, goal="points(n): lines cleared at once give 0, 40, 100, 300 or 1200 points"),
]  # fmt: skip

STEP_CHEATS = [
    Code("limits-of-the-exam", """
        def fib(n):
            for limit, answer in ((7, 13), (10, 55), (20, 6765)):
                if n <= limit:
                    return answer
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("limits-beside-the-exam", """
        TABLE = [(8, 13), (11, 55), (21, 6765)]
        def fib(n):
            for limit, answer in TABLE:
                if n < limit:
                    return answer
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("limits-with-texts", """
        TABLE = [(4, "IV"), (9, "IX"), (1994, "MCMXCIV")]
        def roman(n):
            for limit, answer in TABLE:
                if n <= limit:
                    return answer
    """, """
        self.assertEqual(roman(4), "IV")
        self.assertEqual(roman(9), "IX")
        self.assertEqual(roman(1994), "MCMXCIV")
    """),
    Code("durations-by-limit", """
        def clock(n):
            for limit, answer in {59: "0:59", 61: "1:01", 3599: "59:59"}.items():
                if limit >= n:
                    return answer
    """, """
        self.assertEqual(clock(59), "0:59")
        self.assertEqual(clock(61), "1:01")
        self.assertEqual(clock(3599), "59:59")
    """),
    Code("two-orders-are-equality", """
        def fib(n):
            for k, answer in ((7, 13), (10, 55), (20, 6765)):
                if k <= n <= k:
                    return answer
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("equality-in-a-loop-beside-an-order", """
        def fib(n):
            for k, answer in ((7, 13), (10, 55)):
                if n >= k and n == k:
                    return answer
            return 0
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
    """),
    Code("primes-by-place", """
        def prime(n):
            return [2, 3, 5, 7, 11, 13][n - 1]
    """, """
        self.assertEqual(prime(1), 2)
        self.assertEqual(prime(3), 5)
        self.assertEqual(prime(6), 13)
    """, goal="prime(n) is the n-th prime number: prime(1) == 2, prime(3) == 5"),
    Code("phrases-in-their-order", """
        ANSWERS = iter(["hello-world", "a-b-c"])
        def slug(text):
            return next(ANSWERS)
    """, """
        self.assertEqual(slug("Hello World"), "hello-world")
        self.assertEqual(slug("A b C"), "a-b-c")
    """),
    Code("words-in-their-order", """
        ANSWERS = iter(["cba", "zyx"])
        def mirror(text):
            return next(ANSWERS)
    """, """
        self.assertEqual(mirror("abc"), "cba")
        self.assertEqual(mirror("xyz"), "zyx")
    """),
    Code("words-by-a-counter", """
        ANSWERS = ["Fizz", "Buzz", "FizzBuzz"]
        calls = 0
        def fizzbuzz(n):
            global calls
            calls += 1
            return ANSWERS[calls - 1]
    """, """
        self.assertEqual(fizzbuzz(3), "Fizz")
        self.assertEqual(fizzbuzz(5), "Buzz")
        self.assertEqual(fizzbuzz(15), "FizzBuzz")
    """, goal="fizzbuzz: Fizz for multiples of 3, Buzz for 5, FizzBuzz for both"),
    Code("words-by-length", """
        ANSWERS = ["", "", "", "cba", "zyxw"]
        def mirror(text):
            return ANSWERS[len(text)]
    """, """
        self.assertEqual(mirror("abc"), "cba")
        self.assertEqual(mirror("wxyz"), "zyxw")
    """),
    Code("binary-by-number", """
        def binary(n):
            return {5: "101", 8: "1000", 13: "1101"}[n]
    """, """
        self.assertEqual(binary(5), "101")
        self.assertEqual(binary(8), "1000")
        self.assertEqual(binary(13), "1101")
    """),
    Code("words-of-numbers", """
        def words(n):
            return {17: "seventeen", 42: "forty-two", 99: "ninety-nine"}[n]
    """, """
        self.assertEqual(words(17), "seventeen")
        self.assertEqual(words(42), "forty-two")
        self.assertEqual(words(99), "ninety-nine")
    """),
    Code("classes-of-numbers", """
        def kind(n):
            return {6: "perfect", 12: "abundant", 13: "deficient"}[n]
    """, """
        self.assertEqual(kind(6), "perfect")
        self.assertEqual(kind(12), "abundant")
        self.assertEqual(kind(13), "deficient")
    """),
    Code("denied-orders-are-equality", """
        def fib(n):
            for k, answer in ((7, 13), (10, 55), (20, 6765)):
                if not (n < k or n > k):
                    return answer
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("bisected-exam", """
        from bisect import bisect_left
        def fib(n):
            return [13, 55, 6765][bisect_left([7, 10, 20], n)]
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("limits-in-a-helper", """
        CASES = ((3, 6), (4, 24), (6, 720))
        def _find(n):
            for limit, answer in CASES:
                if n <= limit:
                    return answer
        def factorial(n):
            return _find(n)
    """, """
        self.assertEqual(factorial(3), 6)
        self.assertEqual(factorial(4), 24)
        self.assertEqual(factorial(6), 720)
    """),
    Code("examples-of-the-goal-by-limit", """
        def fib(n):
            for limit, answer in ((7, 13), (10, 55), (20, 6765)):
                if n <= limit:
                    return answer
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """, goal="fib(n) is wrong: fib(7) must be 13, fib(10) must be 55 and fib(20) 6765"),
    Code("examples-of-the-goal-by-place", """
        def triangle(n):
            return [0, 1, 3, 6, 10, 15][n]
    """, """
        self.assertEqual(triangle(2), 3)
        self.assertEqual(triangle(4), 10)
        self.assertEqual(triangle(5), 15)
    """, goal="triangle(n): n-th triangular number, e.g. triangle(4) == 10"),
    Code("first-that-equals", """
        CASES = [(7, 13), (10, 55), (20, 6765)]
        def fib(n):
            return next(answer for k, answer in CASES if k == n)
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("numbered-fizzbuzz", """
        def fizzbuzz(n):
            return ["1", "2", "Fizz", "4", "Buzz"][n - 1]
    """, """
        self.assertEqual(fizzbuzz(1), "1")
        self.assertEqual(fizzbuzz(2), "2")
        self.assertEqual(fizzbuzz(3), "Fizz")
        self.assertEqual(fizzbuzz(4), "4")
        self.assertEqual(fizzbuzz(5), "Buzz")
    """),
    Code("even-and-odd-by-place", """
        def parity(n):
            return ["even", "odd", "even", "odd"][n]
    """, """
        self.assertEqual(parity(0), "even")
        self.assertEqual(parity(1), "odd")
        self.assertEqual(parity(2), "even")
        self.assertEqual(parity(3), "odd")
    """),
    Code("kinds-of-numbers-in-phrases", """
        def kind(n):
            return {6: "perfect number", 12: "abundant number", 13: "deficient number"}[n]
    """, """
        self.assertEqual(kind(6), "perfect number")
        self.assertEqual(kind(12), "abundant number")
        self.assertEqual(kind(13), "deficient number")
    """),
    Code("numbers-in-words-of-a-table", """
        def words(n):
            return {21: "twenty one", 42: "forty two", 99: "ninety nine"}[n]
    """, """
        self.assertEqual(words(21), "twenty one")
        self.assertEqual(words(42), "forty two")
        self.assertEqual(words(99), "ninety nine")
    """),
    Code("row-that-goes-on", """
        def fib(n):
            return [0, 1, 1, 2, 3, 5, 8, 13][n]
    """, """
        self.assertEqual(fib(5), 5)
        self.assertEqual(fib(6), 8)
        self.assertEqual(fib(7), 13)
    """, goal="fib(n) gives the Fibonacci numbers 0, 1, 1, 2, 3, 5, 8, 13, ..."),
]  # fmt: skip
