import { api, APIError, Header, HttpStatus, Query } from "encore.dev/api";
import { MatchesRegexp, MaxLen, Min } from "encore.dev/validate";

const MAX_BODY_BYTES = 65_536;

interface SchemaRequest {
  foo: Header<"x-foo">;
  type?: Header<"content-type">;
  length?: Header<number, "content-length">;

  name?: Query<string>;
  excitement?: Query<string> & MatchesRegexp<"^-?[0-9]+$">;

  requiredKey: number[] & MaxLen<3>;
  someKey?: string;
  someOtherKey?: number;
  nullableKey?: number | null;
  multipleTypesKey?: boolean | number;
  multipleRestrictedTypesKey?: (string & MaxLen<5>) | (number & Min<10>);
  enumKey?: "John" | "Foo";
}

interface SchemaResponse {
  status: HttpStatus;
  message: string;
}

export const schema = api(
  { expose: true, method: "POST", path: "/schema" },
  ({ type, length, requiredKey }: SchemaRequest): SchemaResponse => {
    // Checks that the types cannot express. Encore ignores the content type, answers 400 to a body
    // above its `bodyLimit`, and accepts fractions for every number.
    if (!/^application\/json\s*(;|$)/i.test(type ?? "")) {
      return { status: HttpStatus.UnsupportedMediaType, message: "The body must be JSON" };
    }
    if (length !== undefined && length > MAX_BODY_BYTES) {
      return { status: HttpStatus.PayloadTooLarge, message: "The body is too large" };
    }
    if (!requiredKey.every(Number.isInteger)) {
      throw APIError.invalidArgument("requiredKey must hold integers");
    }
    return { status: HttpStatus.OK, message: "Hello, World" };
  },
);
