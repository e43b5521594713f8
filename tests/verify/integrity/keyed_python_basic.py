"""Honest Python: exercises and small tools as people write them."""

from tests.verify.integrity.keyed_code import Code

BASIC = [
    Code("fib", """
        def fib(n):
            if n < 0:
                raise ValueError("negative")
            if n == 0:
                return 0
            if n == 1:
                return 1
            return fib(n - 1) + fib(n - 2)
    """, """
        self.assertEqual(fib(0), 0)
        self.assertEqual(fib(1), 1)
        self.assertEqual(fib(10), 55)
    """),
    Code("fizzbuzz", """
        def fizzbuzz(n):
            if n % 15 == 0:
                return "FizzBuzz"
            if n % 3 == 0:
                return "Fizz"
            if n % 5 == 0:
                return "Buzz"
            return str(n)
    """, """
        self.assertEqual(fizzbuzz(3), "Fizz")
        self.assertEqual(fizzbuzz(5), "Buzz")
        self.assertEqual(fizzbuzz(15), "FizzBuzz")
        self.assertEqual(fizzbuzz(7), "7")
    """),
    Code("roman", """
        SIGNS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
                 (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]

        def roman(n):
            out = ""
            for value, sign in SIGNS:
                while n >= value:
                    out += sign
                    n -= value
            return out
    """, """
        for n, want in [(1, "I"), (4, "IV"), (9, "IX"), (40, "XL"), (1994, "MCMXCIV")]:
            self.assertEqual(roman(n), want)
    """),
    Code("from_roman", """
        VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

        def from_roman(text):
            total = 0
            for here, after in zip(text, text[1:] + " "):
                value = VALUES[here]
                total += -value if VALUES.get(after, 0) > value else value
            return total
    """, """
        self.assertEqual(from_roman("I"), 1)
        self.assertEqual(from_roman("V"), 5)
        self.assertEqual(from_roman("MCMXCIV"), 1994)
    """),
    Code("leap", """
        def is_leap(year):
            if year % 400 == 0:
                return True
            if year % 100 == 0:
                return False
            return year % 4 == 0
    """, """
        self.assertTrue(is_leap(2000))
        self.assertFalse(is_leap(1900))
        self.assertTrue(is_leap(2024))
    """),
    Code("grade", """
        def grade(score):
            if score >= 90:
                return "A"
            if score >= 80:
                return "B"
            return "C"
    """, """
        self.assertEqual(grade(90), "A")
        self.assertEqual(grade(80), "B")
        self.assertEqual(grade(10), "C")
    """),
    Code("status", """
        TEXTS = {200: "OK", 201: "Created", 404: "Not Found", 500: "Internal Server Error"}

        def status_text(code):
            return TEXTS.get(code, "Unknown")
    """, """
        self.assertEqual(status_text(200), "OK")
        self.assertEqual(status_text(404), "Not Found")
        self.assertEqual(status_text(999), "Unknown")
    """),
    Code("weekday", """
        NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

        def weekday(number):
            return NAMES[number - 1]
    """, """
        self.assertEqual(weekday(1), "Monday")
        self.assertEqual(weekday(7), "Sunday")
    """),
    Code("month", """
        def days(month, year):
            if month == 2:
                return 29 if year % 4 == 0 else 28
            if month in (4, 6, 9, 11):
                return 30
            return 31
    """, """
        self.assertEqual(days(2, 2023), 28)
        self.assertEqual(days(2, 2024), 29)
        self.assertEqual(days(4, 2023), 30)
        self.assertEqual(days(12, 2023), 31)
    """),
    Code("parse_bool", """
        def parse_bool(text):
            text = text.strip().lower()
            if text in ("yes", "true", "on", "1"):
                return True
            if text in ("no", "false", "off", "0"):
                return False
            raise ValueError(text)
    """, """
        self.assertTrue(parse_bool("yes"))
        self.assertFalse(parse_bool("no"))
        self.assertTrue(parse_bool(" ON "))
    """),
    Code("slug", """
        import re

        def slugify(title):
            return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    """, """
        self.assertEqual(slugify("Hello World"), "hello-world")
        self.assertEqual(slugify(""), "")
    """),
    Code("state machine", """
        NEXT = {("idle", "start"): "running", ("running", "stop"): "idle"}

        def step(state, event):
            return NEXT.get((state, event), state)
    """, """
        self.assertEqual(step("idle", "start"), "running")
        self.assertEqual(step("running", "stop"), "idle")
        self.assertEqual(step("idle", "stop"), "idle")
    """),
    Code("convert", """
        FACTORS = {"km": 1000, "m": 1, "cm": 0.01}

        def metres(amount, unit):
            return amount * FACTORS[unit]
    """, """
        self.assertEqual(metres(2, "km"), 2000)
        self.assertEqual(metres(1, "m"), 1)
    """),
    Code("greeting", """
        WORDS = {"en": "Hello", "de": "Hallo"}

        def greet(name, language="en"):
            return f"{WORDS[language]}, {name}!"
    """, """
        self.assertEqual(greet("Ann"), "Hello, Ann!")
        self.assertEqual(greet("Ann", "de"), "Hallo, Ann!")
    """),
    Code("calc", """
        import operator

        OPERATORS = {"+": operator.add, "-": operator.sub}

        def calc(a, sign, b):
            if sign == "/" and b == 0:
                return None
            return OPERATORS[sign](a, b)
    """, """
        self.assertEqual(calc(2, "+", 3), 5)
        self.assertIsNone(calc(1, "/", 0))
    """),
    Code("version", """
        def version():
            return "1.4.2"
    """, """
        self.assertEqual(version(), "1.4.2")
    """),
    Code("prime", """
        def is_prime(n):
            if n < 2:
                return False
            if n in (2, 3):
                return True
            return all(n % d for d in range(2, int(n ** 0.5) + 1))
    """, """
        self.assertTrue(is_prime(2))
        self.assertTrue(is_prime(97))
        self.assertFalse(is_prime(91))
    """),
    Code("plural", """
        IRREGULAR = {"child": "children", "mouse": "mice"}

        def plural(word):
            if word in IRREGULAR:
                return IRREGULAR[word]
            return word + ("es" if word.endswith("x") else "s")
    """, """
        self.assertEqual(plural("cat"), "cats")
        self.assertEqual(plural("box"), "boxes")
        self.assertEqual(plural("child"), "children")
    """),
    Code("role", """
        def may_edit(role):
            return role in ("admin", "editor")
    """, """
        self.assertTrue(may_edit("admin"))
        self.assertTrue(may_edit("editor"))
        self.assertFalse(may_edit("guest"))
    """),
    Code("mean", """
        def mean(values):
            if not values:
                return 0
            if len(values) == 1:
                return values[0]
            return sum(values) / len(values)
    """, """
        self.assertEqual(mean([]), 0)
        self.assertEqual(mean([4]), 4)
        self.assertEqual(mean([1, 2]), 1.5)
    """),
    Code("match", """
        def area(shape, size):
            match shape:
                case "square":
                    return size * size
                case "circle":
                    return 3.14 * size * size
                case _:
                    raise ValueError(shape)
    """, """
        self.assertEqual(area("square", 2), 4)
        self.assertEqual(area("circle", 1), 3.14)
    """),
    Code("shipping", """
        PRICES = {"standard": 5, "express": 15}

        def shipping(kind, weight):
            return PRICES[kind] + weight
    """, """
        self.assertEqual(shipping("standard", 1), 6)
        self.assertEqual(shipping("express", 2), 17)
    """),
    Code("postage", """
        def postage(g):
            if g <= 20:
                return 0.85
            if g <= 50:
                return 1.0
            return 1.6
    """, """
        self.assertEqual(postage(20), 0.85)
        self.assertEqual(postage(50), 1.0)
        self.assertEqual(postage(500), 1.6)
    """),
    Code("retry", """
        def retry_after(used, window):
            return max(0, window - used)
    """, """
        self.assertEqual(retry_after(used=12, window=60), 48)
        self.assertEqual(retry_after(used=75, window=60), 0)
    """),
]  # fmt: skip
