/**
 * Returns twice the rank of each value, in the given order. Equal values share the mean of their ranks. That
 * mean may end in .5, but twice the mean is an integer.
 * https://en.wikipedia.org/wiki/Ranking#Fractional_ranking_(%221_2.5_2.5_4%22_ranking)
 */
export function doubledRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return 2 * below + equal + 1;
  });
}
