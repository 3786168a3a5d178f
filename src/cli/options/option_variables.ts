/** The variables that name a database; they have no flags, since arguments show in process lists. */
export const DATABASE_VARIABLES:
  readonly (readonly [name: string, fallback: string, help: string])[] = [
    [
      "DATABASE_URL",
      "",
      "a PostgreSQL server to use, such as postgres://user:password@127.0.0.1:5432/database; if neither this nor any of the next five is set, Stampede brings its own",
    ],
    ["PGHOST", "127.0.0.1", "the same in parts, as libpq reads them: host"],
    ["PGPORT", "5432", "port"],
    ["PGUSER", "USER, or postgres", "user"],
    ["PGPASSWORD", "", "password"],
    ["PGDATABASE", "the user's name", "database"],
  ];
