package stampede.shared;

import java.util.stream.IntStream;

/** The sieve of Eratosthenes: https://en.wikipedia.org/wiki/Sieve_of_Eratosthenes */
public final class Sieve {
    private Sieve() {}

    /** All primes up to a limit. */
    public static int[] primesUpTo(int limit) {
        var composite = new byte[limit + 1];
        for (var n = 2; n * n <= limit; n++) {
            if (composite[n] != 0) {
                continue;
            }
            for (var multiple = n * n; multiple <= limit; multiple += n) {
                composite[multiple] = 1;
            }
        }
        return IntStream.rangeClosed(2, limit).filter(n -> composite[n] == 0).toArray();
    }
}
