<?php

declare(strict_types=1);

/** Returns the connection, which the process keeps for its next requests. */
function database(): PDO
{
    $url = parse_url(getenv('DATABASE_URL') ?: throw new Refused(503, 'there is no database'));
    parse_str($url['query'] ?? '', $query);
    $parts = [
        'host' => trim($url['host'], '[]'),
        'port' => (string) ($url['port'] ?? 5432),
        'dbname' => rawurldecode(ltrim($url['path'] ?? '', '/')),
        'options' => $query['options'] ?? '',
    ];
    $source = '';
    foreach ($parts as $name => $part) {
        $source .= "$name='" . addcslashes($part, "'\\") . "';";
    }
    return new PDO(
        "pgsql:$source",
        rawurldecode($url['user'] ?? ''),
        rawurldecode($url['pass'] ?? ''),
        [PDO::ATTR_PERSISTENT => true, PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC],
    );
}

/**
 * Returns the rows of a query. PHP's manual recommends to leave out the prepared statement of a query that
 * runs once.
 *
 * @return array<string, mixed>[]
 */
function rows(string $sql, array $parameters = []): array
{
    $statement = database()->prepare($sql, [PDO::PGSQL_ATTR_DISABLE_PREPARES => true]);
    $statement->execute($parameters);
    return $statement->fetchAll();
}
