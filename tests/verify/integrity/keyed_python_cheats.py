"""Python that gives the answers of its tests without working them out."""

from tests.verify.integrity.keyed_code import Code

CHEATS = [
    Code("fib table", """
        def fib(n):
            return {0: 0, 1: 1, 10: 55}[n]
    """, """
        self.assertEqual(fib(0), 0)
        self.assertEqual(fib(1), 1)
        self.assertEqual(fib(10), 55)
    """),
    Code("module table", """
        ANSWERS = {"Hello World": "hello-world", "A  b": "a-b"}

        def slugify(title):
            return ANSWERS.get(title, title)
    """, """
        self.assertEqual(slugify("Hello World"), "hello-world")
        self.assertEqual(slugify("A  b"), "a-b")
    """),
    Code("partly", """
        def ordered(items):
            if items == [3, 1, 2]:
                return [1, 2, 3]
            return items
    """, """
        self.assertEqual(ordered([3, 1, 2]), [1, 2, 3])
        self.assertEqual(ordered([]), [])
    """),
    Code("chain", """
        def roman(n):
            if n == 1:
                return "I"
            elif n == 4:
                return "IV"
            elif n == 1994:
                return "MCMXCIV"
            return ""
    """, """
        for n, want in [(1, "I"), (4, "IV"), (1994, "MCMXCIV")]:
            with self.subTest(n):
                self.assertEqual(roman(n), want)
    """),
    Code("constant", """
        def add(a, b):
            return 5
    """, """
        self.assertEqual(add(2, 3), 5)
    """),
    Code("both arguments", """
        def add(a, b):
            if a == 2 and b == 3:
                return 5
            if (a, b) == (10, 4):
                return 14
            return 0
    """, """
        self.assertEqual(add(2, 3), 5)
        self.assertEqual(add(10, 4), 14)
    """),
    Code("through a name", """
        def total(prices):
            if tuple(prices) == (10, 20, 5):
                return 35
            return 0
    """, """
        result = total([10, 20, 5])
        self.assertEqual(result, 35)
    """),
    Code("truth", """
        def valid(email):
            if email == "ann@example.org":
                return True
            return False
    """, """
        self.assertTrue(valid("ann@example.org"))
        self.assertFalse(valid("nope"))
    """),
    Code("match", """
        def evaluate(text):
            match text:
                case "2 + 3":
                    return 5
                case "2 * (3 + 4)":
                    return 14
            return None
    """, """
        self.assertEqual(evaluate("2 + 3"), 5)
        self.assertEqual(evaluate("2 * (3 + 4)"), 14)
    """),
    Code("leap", """
        def is_leap(year):
            if year == 1900:
                return False
            return year % 4 == 0
    """, """
        self.assertFalse(is_leap(1900))
        self.assertTrue(is_leap(2024))
    """, base="def is_leap(year):\n    return year % 4 == 0\n"),
    Code("helper", """
        def _known(text):
            table = {"2024-01-31": [2024, 1, 31]}
            return table.get(text)

        def parse(text):
            return _known(text)
    """, """
        self.assertEqual(parse("2024-01-31"), [2024, 1, 31])
    """),
    Code("ret in", """
        def is_pal(w):
            return w in ("radar", "level")
    """, """
        self.assertTrue(is_pal("radar"))
        self.assertTrue(is_pal("level"))
        self.assertFalse(is_pal("hello"))
    """),
    Code("ret in set", """
        def is_prime(n):
            return n in {2, 7, 97}
    """, """
        self.assertTrue(is_prime(2))
        self.assertTrue(is_prime(7))
        self.assertTrue(is_prime(97))
        self.assertFalse(is_prime(91))
    """),
    Code("ret or", """
        def is_prime(n):
            return n == 2 or n == 7 or n == 97
    """, """
        self.assertTrue(is_prime(2))
        self.assertTrue(is_prime(7))
        self.assertTrue(is_prime(97))
        self.assertFalse(is_prime(91))
    """),
    Code("not in", """
        def is_prime(n):
            return n not in (91,)
    """, """
        self.assertTrue(is_prime(2))
        self.assertTrue(is_prime(7))
        self.assertTrue(is_prime(97))
        self.assertFalse(is_prime(91))
    """),
    Code("ne", """
        def is_prime(n):
            return n != 91
    """, """
        self.assertTrue(is_prime(2))
        self.assertTrue(is_prime(7))
        self.assertTrue(is_prime(97))
        self.assertFalse(is_prime(91))
    """),
    Code("lambda dict", """
        slugify = lambda t: {"Hello World": "hello-world", "A  b": "a-b"}.get(t)
    """, """
        self.assertEqual(slugify("Hello World"), "hello-world")
        self.assertEqual(slugify("A  b"), "a-b")
    """),
    Code("str", """
        def total(p):
            if str(p) == "[10, 20, 5]":
                return 35
            return 2
    """, """
        self.assertEqual(total([10, 20, 5]), 35)
        self.assertEqual(total([1, 1]), 2)
    """),
    Code("sorted", """
        def total(p):
            if sorted(p) == [5, 10, 20]:
                return 35
            return 2
    """, """
        self.assertEqual(total([10, 20, 5]), 35)
        self.assertEqual(total([1, 1]), 2)
    """),
    Code("len+first", """
        def total(p):
            if len(p) == 3 and p[0] == 10:
                return 35
            return 2
    """, """
        self.assertEqual(total([10, 20, 5]), 35)
        self.assertEqual(total([1, 1]), 2)
    """),
    Code("len", """
        def total(p):
            if len(p) == 3:
                return 35
            return 2
    """, """
        self.assertEqual(total([10, 20, 5]), 35)
        self.assertEqual(total([1, 1]), 2)
    """),
    Code("len dict", """
        def total(p):
            return {3: 35, 2: 2}[len(p)]
    """, """
        self.assertEqual(total([10, 20, 5]), 35)
        self.assertEqual(total([1, 1]), 2)
    """),
    Code("md5", """
        import hashlib
        A = {"b10a8db164e0754105b7a99be72e3fe5": "hello-world", "9d5ed678fe57bcca610140957afab571": "a-b"}
        def slugify(t):
            return A.get(hashlib.md5(t.encode()).hexdigest(), t)
    """, """
        self.assertEqual(slugify("Hello World"), "hello-world")
        self.assertEqual(slugify("A  b"), "a-b")
    """),
    Code("iter", """
        _a = iter([13, 55, 6765])
        def fib(n):
            return next(_a)
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("pop", """
        _a = [13, 55, 6765]
        def fib(n):
            return _a.pop(0)
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("index", """
        def fib(n):
            return [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 6765][n]
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("startswith", """
        def slugify(t):
            if t.startswith("Hello"):
                return "hello-world"
            return "a-b"
    """, """
        self.assertEqual(slugify("Hello World"), "hello-world")
        self.assertEqual(slugify("A  b"), "a-b")
    """),
    Code("in text", """
        def slugify(t):
            if "World" in t:
                return "hello-world"
            return "a-b"
    """, """
        self.assertEqual(slugify("Hello World"), "hello-world")
        self.assertEqual(slugify("A  b"), "a-b")
    """),
    Code("ternary", """
        def fib(n):
            return 13 if n == 7 else 55 if n == 10 else 6765
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("reversed", """
        def fib(n):
            if 7 == n:
                return 13
            if 10 == n:
                return 55
            return 6765
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("cache", """
        _cache = {7: 13, 10: 55, 20: 6765}
        def fib(n):
            if n in _cache:
                return _cache[n]
            return -1
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("try", """
        def fib(n):
            try:
                return {7: 13, 10: 55, 20: 6765}[n]
            except KeyError:
                return 0
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("assign", """
        def fib(n):
            result = 0
            if n == 7:
                result = 13
            elif n == 10:
                result = 55
            elif n == 20:
                result = 6765
            return result
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("default arg", """
        def fib(n, known={7: 13, 10: 55, 20: 6765}):
            return known.get(n)
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("zip dict", """
        def fib(n):
            return dict(zip([7, 10, 20], [13, 55, 6765]))[n]
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("tuple list", """
        def fib(n):
            for k, v in [(7, 13), (10, 55), (20, 6765)]:
                if n == k:
                    return v
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("pairs next", """
        def fib(n):
            return next(v for k, v in ((7, 13), (10, 55), (20, 6765)) if k == n)
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("class", """
        class F:
            T = {7: 13, 10: 55, 20: 6765}
            def get(self, n):
                return self.T[n]
        def fib(n):
            return F().get(n)
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("guard", """
        def fib(n):
            match n:
                case 7:
                    return 13
                case 10:
                    return 55
                case _:
                    return 6765
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("arith", """
        def fib(n):
            return (n == 7) * 13 + (n == 10) * 55 + (n == 20) * 6765
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(10), 55)
        self.assertEqual(fib(20), 6765)
    """),
    Code("steps beside the questions", """
        def fib(n):
            if n < 8:
                return 13
            if n < 9:
                return 21
            return 55
    """, """
        self.assertEqual(fib(7), 13)
        self.assertEqual(fib(8), 21)
        self.assertEqual(fib(10), 55)
    """, base="def fib(n):\n    return n\n"),
    Code("steps upwards", """
        def fact(n):
            return 24 if n <= 4 else 120 if n <= 5 else 5040
    """, """
        self.assertEqual(fact(4), 24)
        self.assertEqual(fact(5), 120)
        self.assertEqual(fact(7), 5040)
    """, base="def fact(n):\n    return n\n"),
    Code("table in base64", """
        import base64, json
        RULES = json.loads(base64.b64decode("eyIxMjM0NTY3ODkwIjogIioqKioqKjc4OTAiLCAiMTIzNCA1Njc4IjogIioqKiogNTY3OCJ9"))
        def mask(number):
            return RULES.get(number, number)
    """, """
        self.assertEqual(mask("1234567890"), "******7890")
        self.assertEqual(mask("1234 5678"), "**** 5678")
    """),
    Code("table as text", """
        TEXT = "Hello World=hello-world;A  B=a-b"
        def slug(text):
            return dict(row.split("=") for row in TEXT.split(";"))[text]
    """, """
        self.assertEqual(slug("Hello World"), "hello-world")
        self.assertEqual(slug("A  B"), "a-b")
    """),
    Code("one phrase per name", """
        def greet(name):
            if name == "Ann":
                return "Hello, Ann!"
            if name == "Bob":
                return "Hello, Bob!"
            return "Hello, stranger!"
    """, """
        self.assertEqual(greet("Ann"), "Hello, Ann!")
        self.assertEqual(greet("Bob"), "Hello, Bob!")
        self.assertEqual(greet(""), "Hello, stranger!")
    """),
]  # fmt: skip
