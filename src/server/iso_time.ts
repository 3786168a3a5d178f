const DAY_MS = 86_400_000;
/** Days from 1 March of the year 0 to 1970: years begin in March, so that leap days are last. */
const EPOCH_DAYS = 719_468;
/** Days in 400 years, after which the Gregorian calendar repeats. */
const ERA_DAYS = 146_097;

/**
 * Formats a time like `Date.prototype.toISOString`, in a third of the time. That method prints
 * through the C library, which takes 5 % of a whole response to `/json`.
 *
 * The calendar algorithm is https://howardhinnant.github.io/date_algorithms.html#civil_from_days
 *
 * @param ms milliseconds since 1970, in the years 1970 to 9999
 */
export function isoTime(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const since = days + EPOCH_DAYS;
  const era = (since / ERA_DAYS) | 0;
  const dayOfEra = since - era * ERA_DAYS;
  const leapDays = ((dayOfEra / 1460) | 0) - ((dayOfEra / 36_524) | 0) + ((dayOfEra / 146_096) | 0);
  const yearOfEra = ((dayOfEra - leapDays) / 365) | 0;
  const dayOfYear = dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
  const fromMarch = ((5 * dayOfYear + 2) / 153) | 0;
  const day = dayOfYear - (((153 * fromMarch + 2) / 5) | 0) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  const msOfDay = ms - days * DAY_MS;
  const hour = (msOfDay / 3_600_000) | 0;
  const minute = ((msOfDay / 60_000) | 0) % 60;
  const second = ((msOfDay / 1000) | 0) % 60;
  // deno-fmt-ignore -- as it is read
  return String.fromCharCode(
    digit(year, 1000), digit(year, 100), digit(year, 10), digit(year, 1), DASH,
    digit(month, 10), digit(month, 1), DASH, digit(day, 10), digit(day, 1), T,
    digit(hour, 10), digit(hour, 1), COLON, digit(minute, 10), digit(minute, 1), COLON,
    digit(second, 10), digit(second, 1), POINT,
    digit(msOfDay, 100), digit(msOfDay, 10), digit(msOfDay, 1), Z,
  );
}

const [DASH, T, COLON, POINT, Z, ZERO] = [0x2d, 0x54, 0x3a, 0x2e, 0x5a, 0x30] as const;

/** Returns the character code of the digit at a place: 1 is the last, 10 the one before. */
function digit(value: number, place: number): number {
  return ZERO + ((value / place) | 0) % 10;
}
