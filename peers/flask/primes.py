"""The sieve of Eratosthenes: https://en.wikipedia.org/wiki/Sieve_of_Eratosthenes"""

from itertools import compress
from math import isqrt

from pydantic_core import to_json


def primes_up_to(limit):
    is_prime = bytearray(b"\x01") * (limit + 1)
    is_prime[0:2] = bytes(2)
    for n in range(2, isqrt(limit) + 1):
        if is_prime[n]:
            is_prime[n * n :: n] = bytes(len(range(n * n, limit + 1, n)))
    return list(compress(range(limit + 1), is_prime))


def primes_json(limit, source):
    """Returns the response of /primes: another process receives bytes faster than a list."""
    return to_json({"numbers": primes_up_to(limit), "from": source})


def primes_as_published(limit):
    """As in the article: a list of booleans, and a step of Python for each multiple."""
    is_prime = [True] * (limit + 1)
    n = 2
    while n * n <= limit:
        if is_prime[n]:
            for multiple in range(n * n, limit + 1, n):
                is_prime[multiple] = False
        n += 1
    return [n for n in range(2, limit + 1) if is_prime[n]]
