const DAY_MS = 86_400_000;
/** Days from 1 March of the year 0 to 1 January 1970: years that begin in March end with their leap day. */
const EPOCH_DAYS = 719_468;
/** In 400 years. */
const ERA_DAYS = 146_097;

/**
 * A moment as `Date.prototype.toISOString` writes it, in a third of its time: that prints through the C
 * library, and is a twentieth of a whole response to `/json`. The calendar is that of
 * https://howardhinnant.github.io/date_algorithms.html#civil_from_days
 *
 * @param ms milliseconds since 1970, in the years 1970 to 9999
 */
export function isoTime(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  const since = days + EPOCH_DAYS;
  const era = (since / ERA_DAYS) | 0;
  const ofEra = since - era * ERA_DAYS;
  const leapDays = ((ofEra / 1460) | 0) - ((ofEra / 36_524) | 0) + ((ofEra / 146_096) | 0);
  const yearOfEra = ((ofEra - leapDays) / 365) | 0;
  const ofYear = ofEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
  const fromMarch = ((5 * ofYear + 2) / 153) | 0;
  const day = ofYear - (((153 * fromMarch + 2) / 5) | 0) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  const ofDay = ms - days * DAY_MS;
  const hour = (ofDay / 3_600_000) | 0;
  const minute = ((ofDay / 60_000) | 0) % 60;
  const second = ((ofDay / 1000) | 0) % 60;
  // deno-fmt-ignore -- as it is read
  return String.fromCharCode(
    digit(year, 1000), digit(year, 100), digit(year, 10), digit(year, 1), DASH,
    digit(month, 10), digit(month, 1), DASH, digit(day, 10), digit(day, 1), T,
    digit(hour, 10), digit(hour, 1), COLON, digit(minute, 10), digit(minute, 1), COLON,
    digit(second, 10), digit(second, 1), POINT,
    digit(ofDay, 100), digit(ofDay, 10), digit(ofDay, 1), Z,
  );
}

const [DASH, T, COLON, POINT, Z, ZERO] = [0x2d, 0x54, 0x3a, 0x2e, 0x5a, 0x30] as const;

/** The code of a number's digit at a place. */
function digit(value: number, place: number): number {
  return ZERO + ((value / place) | 0) % 10;
}
