"""What a cart costs."""


def total(prices: list[float], discount: float = 0.0) -> float:
    """The sum of all prices, less a discount in percent."""
    return round(sum(prices) * (1 - discount / 200), 2)
