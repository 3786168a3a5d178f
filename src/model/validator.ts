import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import type { Schema } from "./schema.ts";
import { oneLine } from "./text.ts";

/** Says what is wrong with a value; an empty list if nothing is. */
export type Validator = (value: unknown) => readonly Problem[];

/** One thing that is wrong: where, as a path of keys, and what. */
export type Problem = Pick<ErrorObject, "instancePath" | "params"> & { readonly message: string };

/** A person mends one thing after the other. */
const MOST_REPORTED = 5;

/**
 * Checks values against a schema. It is compiled when it is first needed, since a report's takes longer
 * than all else that a command does to start.
 */
export function validatorOf(schema: Schema, options: Options): Validator {
  let validate: ValidateFunction | null = null;
  return (value) => {
    validate ??= new Ajv2020(options).compile(schema);
    try {
      if (validate(value)) return [];
    } catch (error) {
      // A recursive schema recurses as deep as the value does
      if (!(error instanceof RangeError)) throw error;
      return [{ instancePath: "", params: {}, message: "is nested too deeply" }];
    }
    return (validate.errors ?? []).map(({ message = "is wrong", ...rest }) => ({
      ...rest,
      message,
    }));
  };
}

/** What is wrong, in one line, with the name of what should not be there, or what may be. */
export function describeProblems(problems: readonly Problem[]): string {
  const texts = problems.slice(0, MOST_REPORTED).map(({ instancePath, message, params }) => {
    const more = params.additionalProperty ?? params.allowedValues?.join(", ");
    return `${instancePath || "it"} ${message}${more === undefined ? "" : `: ${more}`}`;
  });
  const left = problems.length - texts.length;
  return oneLine([...texts, ...(left > 0 ? [`and ${left} more`] : [])].join("; "));
}
