/** The variables that name a database. They have no flags, because process lists show arguments. */
export const DATABASE_VARIABLES:
  readonly (readonly [name: string, fallback: string, help: string])[] = [
    [
      "DATABASE_URL",
      "",
      "the PostgreSQL server to use, such as postgres://user:password@127.0.0.1:5432/database; if neither this nor one of the next five is set, Stampede starts an embedded one",
    ],
    ["PGHOST", "127.0.0.1", "the same in parts, as libpq reads them: host"],
    ["PGPORT", "5432", "port"],
    ["PGUSER", "USER, or postgres", "user"],
    ["PGPASSWORD", "", "password"],
    ["PGDATABASE", "the user's name", "database"],
  ];
