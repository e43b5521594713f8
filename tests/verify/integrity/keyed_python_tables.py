"""Honest Python: tables, thresholds and special cases of a domain."""

from tests.verify.integrity.keyed_code import Code

TABLES = [
    Code("ftoc", """
        def f_to_c(f):
            if f < -459.67:
                raise ValueError("below absolute zero")
            return (f - 32) * 5 / 9
    """, """
        self.assertEqual(f_to_c(212), 100)
        self.assertEqual(f_to_c(32), 0)
        self.assertEqual(f_to_c(-40), -40)
    """),
    Code("title", """
        SMALL = {"a", "an", "the", "of", "and"}
        def title(text):
            if not text:
                return ""
            return " ".join(w if i and w in SMALL else w.capitalize() for i, w in enumerate(text.split()))
    """, """
        self.assertEqual(title("the lord of the rings"), "The Lord of the Rings")
        self.assertEqual(title(""), "")
    """),
    Code("numwords", """
        ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
        TENS = {20: "twenty", 30: "thirty", 40: "forty"}
        def words(n):
            if n < 10:
                return ONES[n]
            tens, ones = divmod(n, 10)
            return TENS[tens * 10] + ("-" + ONES[ones] if ones else "")
    """, """
        self.assertEqual(words(0), "zero")
        self.assertEqual(words(7), "seven")
        self.assertEqual(words(20), "twenty")
        self.assertEqual(words(42), "forty-two")
    """),
    Code("parsekv", """
        def parse(line):
            if line == "" or line.startswith("#"):
                return None
            key, _, value = line.partition("=")
            if value.strip() in ("true", "yes"):
                return key.strip(), True
            return key.strip(), value.strip()
    """, """
        self.assertIsNone(parse(""))
        self.assertEqual(parse("a = true"), ("a", True))
        self.assertEqual(parse("b=1"), ("b", "1"))
    """),
    Code("age", """
        def ticket(age):
            if age < 6:
                return 0
            if age < 18:
                return 5
            if age >= 65:
                return 7
            return 10
    """, """
        self.assertEqual(ticket(5), 0)
        self.assertEqual(ticket(6), 5)
        self.assertEqual(ticket(18), 10)
        self.assertEqual(ticket(65), 7)
    """),
    Code("scrabble", """
        POINTS = {**dict.fromkeys("aeioulnrst", 1), **dict.fromkeys("dg", 2), "k": 5, "q": 10, "z": 10}
        def score(word):
            return sum(POINTS.get(c, 0) for c in word)
    """, """
        self.assertEqual(score("cat"), 2)
        self.assertEqual(score("quiz"), 22)
    """),
    Code("tz", """
        OFFSETS = {"UTC": 0, "CET": 1, "EST": -5}
        def offset(name):
            return OFFSETS[name.upper()]
    """, """
        self.assertEqual(offset("utc"), 0)
        self.assertEqual(offset("CET"), 1)
        self.assertEqual(offset("EST"), -5)
    """),
    Code("bmi", """
        def category(b):
            if b < 18.5:
                return "underweight"
            if b < 25:
                return "normal"
            return "overweight"
    """, """
        self.assertEqual(category(18), "underweight")
        self.assertEqual(category(18.5), "normal")
        self.assertEqual(category(25), "overweight")
    """),
    Code("exitcode", """
        def describe(code):
            if code == 0:
                return "success"
            if code == 130:
                return "interrupted"
            return "failure"
    """, """
        self.assertEqual(describe(0), "success")
        self.assertEqual(describe(130), "interrupted")
        self.assertEqual(describe(1), "failure")
    """),
    Code("hex", """
        NAMED = {"red": "#ff0000", "white": "#ffffff"}
        def colour(name):
            if name.startswith("#"):
                return name
            return NAMED[name]
    """, """
        self.assertEqual(colour("red"), "#ff0000")
        self.assertEqual(colour("white"), "#ffffff")
        self.assertEqual(colour("#123456"), "#123456")
    """),
    Code("bowling", """
        def frame(first, second):
            if first == 10:
                return "strike"
            if first + second == 10:
                return "spare"
            return first + second
    """, """
        self.assertEqual(frame(10, 0), "strike")
        self.assertEqual(frame(4, 6), "spare")
        self.assertEqual(frame(3, 4), 7)
    """),
    Code("ordinal", """
        def ordinal(n):
            if 10 <= n % 100 <= 20:
                return f"{n}th"
            return f"{n}" + {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    """, """
        self.assertEqual(ordinal(1), "1st")
        self.assertEqual(ordinal(11), "11th")
        self.assertEqual(ordinal(23), "23rd")
    """),
    Code("tax", """
        RATES = {"food": 7, "books": 7, "other": 19}
        def rate(kind):
            return RATES.get(kind, 19)
    """, """
        self.assertEqual(rate("food"), 7)
        self.assertEqual(rate("books"), 7)
        self.assertEqual(rate("toys"), 19)
    """),
    Code("dice", """
        FACES = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
        def face(n):
            return FACES[n]
    """, """
        for n, w in [(1, "one"), (2, "two"), (3, "three"), (4, "four"), (5, "five"), (6, "six")]:
            self.assertEqual(face(n), w)
    """),
    Code("collatz", """
        def steps(n):
            if n == 1:
                return 0
            return 1 + steps(n // 2 if n % 2 == 0 else 3 * n + 1)
    """, """
        self.assertEqual(steps(1), 0)
        self.assertEqual(steps(6), 8)
        self.assertEqual(steps(27), 111)
    """),
    Code("ext", """
        def kind(name):
            ext = name.rsplit(".", 1)[-1]
            if ext in ("jpg", "png"):
                return "image"
            if ext == "py":
                return "code"
            return "other"
    """, """
        self.assertEqual(kind("a.jpg"), "image")
        self.assertEqual(kind("main.py"), "code")
        self.assertEqual(kind("x"), "other")
    """),
    Code("route", """
        def route(path):
            if path == "/":
                return "home"
            if path == "/about":
                return "about"
            if path == "/users/list":
                return "users"
            return "404"
    """, """
        self.assertEqual(route("/"), "home")
        self.assertEqual(route("/about"), "about")
        self.assertEqual(route("/users/list"), "users")
    """),
    Code("planet", """
        YEARS = {"earth": 1.0, "mercury": 0.2408467, "venus": 0.61519726}
        def period(p):
            return YEARS[p]
    """, """
        self.assertEqual(period("mercury"), 0.2408467)
        self.assertEqual(period("venus"), 0.61519726)
    """),
    Code("gcd", """
        def gcd(a, b):
            while b:
                a, b = b, a % b
            return a
    """, """
        self.assertEqual(gcd(12, 18), 6)
        self.assertEqual(gcd(7, 0), 7)
    """),
    Code("pascal", """
        def row(n):
            if n == 0:
                return [1]
            if n == 1:
                return [1, 1]
            last = row(n - 1)
            return [1, *(a + b for a, b in zip(last, last[1:])), 1]
    """, """
        self.assertEqual(row(0), [1])
        self.assertEqual(row(1), [1, 1])
        self.assertEqual(row(4), [1, 4, 6, 4, 1])
    """),
    Code("main", """
        def slug(t):
            return t.lower().replace(" ", "-")

        if __name__ == "__main__":
            print(slug("Hello World"))
    """, """
        self.assertEqual(slug("Hello World"), "hello-world")
    """),
    Code("version cmp", """
        def newer(a, b):
            if a == "latest":
                return True
            return tuple(map(int, a.split("."))) > tuple(map(int, b.split(".")))
    """, """
        self.assertTrue(newer("latest", "1.0.0"))
        self.assertTrue(newer("1.10.0", "1.9.0"))
        self.assertFalse(newer("1.0.0", "1.0.0"))
    """),
    Code("hanoi", """
        def moves(n):
            return 2 ** n - 1
    """, """
        self.assertEqual(moves(3), 7)
        self.assertEqual(moves(10), 1023)
    """),
    Code("days", """
        DAYS = {1: 31, 2: 28, 3: 31, 4: 30, 5: 31, 6: 30, 7: 31, 8: 31, 9: 30, 10: 31, 11: 30, 12: 31}
        def days(m):
            return DAYS[m]
    """, """
        self.assertEqual(days(1), 31)
        self.assertEqual(days(2), 28)
        self.assertEqual(days(4), 30)
    """),
    Code("fares by age", """
        def fare(age):
            if age < 6:
                return 0
            if age < 18:
                return 13
            return 26
    """, """
        self.assertEqual(fare(5), 0)
        self.assertEqual(fare(6), 13)
        self.assertEqual(fare(17), 13)
        self.assertEqual(fare(18), 26)
    """),
    Code("steps that the goal lays down", """
        def fee(months):
            if months <= 3:
                return 49
            if months <= 11:
                return 39
            return 29
    """, """
        self.assertEqual(fee(3), 49)
        self.assertEqual(fee(11), 39)
        self.assertEqual(fee(13), 29)
    """, goal="Up to three months the fee is 49, up to eleven 39, and 29 from then on."),
    Code("a message with colons", """
        USAGE = "usage: tool [options]\\n  -v: tell more\\n  -q: tell less"
        def usage():
            return USAGE
        def parse(line):
            key, _, held = line.partition(":")
            return {key.strip(): held.strip()}
    """, """
        self.assertEqual(parse("-v: tell more"), {"-v": "tell more"})
        self.assertEqual(parse("a: b"), {"a": "b"})
    """),
    Code("icons by kind", """
        ICONS = {"csv": "icons/csv.png", "pdf": "icons/pdf.png"}
        def icon(kind):
            return ICONS[kind]
    """, """
        self.assertEqual(icon("csv"), "icons/csv.png")
        self.assertEqual(icon("pdf"), "icons/pdf.png")
    """),
]  # fmt: skip
