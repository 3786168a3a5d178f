import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import type { Schema } from "./json_schema.ts";
import { oneLine } from "./text.ts";

/** Returns the problems of a value; none if it is valid. */
export type Validator = (value: unknown) => readonly Problem[];

/** One problem: its path in the value, and the message. */
export type Problem = Pick<ErrorObject, "instancePath" | "params"> & { readonly message: string };

/** Maximum number of problems in a message. Users fix them one by one. */
const MOST_REPORTED = 5;

/**
 * Returns a validator for a schema. The schema is compiled on first use, because that takes most of a
 * command's start-up time.
 */
export function validatorOf(schema: Schema, options: Options): Validator {
  let validate: ValidateFunction | null = null;
  return (value) => {
    validate ??= new Ajv2020(options).compile(schema);
    try {
      if (validate(value)) return [];
    } catch (error) {
      // A recursive schema recurses as deep as the value
      if (!(error instanceof RangeError)) throw error;
      return [{ instancePath: "", params: {}, message: "is nested too deeply" }];
    }
    return (validate.errors ?? []).map(({ message = "is wrong", ...rest }) => ({
      ...rest,
      message,
    }));
  };
}

/** Returns the problems as one line, with unexpected names and allowed values. */
export function describeProblems(problems: readonly Problem[]): string {
  const texts = problems.slice(0, MOST_REPORTED).map(({ instancePath, message, params }) => {
    const more = params.additionalProperty ?? params.allowedValues?.join(", ");
    return `${instancePath || "it"} ${message}${more === undefined ? "" : `: ${more}`}`;
  });
  const left = problems.length - texts.length;
  return oneLine([...texts, ...(left > 0 ? [`and ${left} more`] : [])].join("; "));
}
