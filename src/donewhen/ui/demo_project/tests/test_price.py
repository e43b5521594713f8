import unittest

from price import total


class Total(unittest.TestCase):
    def test_adds_up(self) -> None:
        self.assertEqual(total([1.5, 2.5]), 4.0)

    def test_takes_off_the_discount(self) -> None:
        self.assertEqual(total([100.0], discount=20), 80.0)


if __name__ == "__main__":
    unittest.main()
