import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import type { Schema } from "./schema.ts";

/** Says what is wrong with a value; an empty list if nothing is. */
export type Validator = (value: unknown) => readonly ErrorObject[];

/**
 * Checks values against a schema. It is compiled when it is first needed, since a report's takes longer
 * than all else that a command does to start.
 */
export function validatorOf(schema: Schema, options: Options): Validator {
  let validate: ValidateFunction | null = null;
  return (value) => {
    validate ??= new Ajv2020(options).compile(schema);
    return validate(value) ? [] : validate.errors ?? [];
  };
}
