// deno-lint-ignore-file no-console -- the one place that prints

/** Prints a result: standard output. */
export function say(text: string): void {
  console.log(text);
}

/** Prints what is not the result: standard error. */
export function complain(text: string): void {
  console.error(text);
}
