package stampede.shared;

import java.util.Arrays;

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
        // Upper bound for the number of primes: https://doi.org/10.1215/ijm/1255631807 (3.6)
        var primes = new int[(int) Math.ceil(1.25506 * limit / Math.log(limit))];
        var count = 0;
        for (var n = 2; n <= limit; n++) {
            if (composite[n] == 0) {
                primes[count++] = n;
            }
        }
        return Arrays.copyOf(primes, count);
    }
}
