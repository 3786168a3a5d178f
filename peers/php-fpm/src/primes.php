<?php

declare(strict_types=1);

function primes(): void
{
    $limit = parameter('limit', 2, 10_000_000, 1_000_000);
    sendJson(['numbers' => sieve($limit), 'from' => 'PHP']);
}

/**
 * Returns the primes up to a limit: https://en.wikipedia.org/wiki/Sieve_of_Eratosthenes
 *
 * @return int[]
 */
function sieve(int $limit): array
{
    $marks = str_repeat("\0", $limit + 1); // a string is PHP's array of bytes
    $numbers = [];
    for ($n = 2; $n <= $limit; $n++) {
        if ($marks[$n] !== "\0") {
            continue;
        }
        $numbers[] = $n;
        for ($multiple = $n * $n; $multiple <= $limit; $multiple += $n) {
            $marks[$multiple] = "\1";
        }
    }
    return $numbers;
}
