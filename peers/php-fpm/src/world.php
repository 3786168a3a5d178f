<?php

declare(strict_types=1);

require __DIR__ . '/database.php';

const WORLDS = 10_000;
const WORLD = 'SELECT id, random_number AS "randomNumber" FROM world WHERE id = ?';

/** Returns a random id, or number, of the table world. */
function randomWorld(): int
{
    return mt_rand(1, WORLDS);
}

/** Returns the requested number of rows: 1 for anything but digits. */
function rowsWanted(): int
{
    $queries = $_GET['queries'] ?? '';
    return ctype_digit($queries) ? max(1, min(500, (int) $queries)) : 1;
}

/** @return array{id: int, randomNumber: int}[] */
function randomRows(int $count): array
{
    $statement = database()->prepare(WORLD);
    $rows = [];
    for ($i = 0; $i < $count; $i++) {
        $statement->execute([randomWorld()]);
        $rows[] = $statement->fetch();
    }
    return $rows;
}

function world(): void
{
    sendJson(rows(WORLD, [randomWorld()])[0]);
}

function queries(): void
{
    sendJson(randomRows(rowsWanted()));
}

function updates(): void
{
    $rows = randomRows(rowsWanted());
    foreach ($rows as &$row) {
        $row['randomNumber'] = randomWorld();
    }
    unset($row);
    // Updates that lock rows in the same order cannot wait for each other
    usort($rows, fn(array $a, array $b): int => $a['id'] <=> $b['id']);
    $columns = array_map(
        fn(string $name): string => '{' . implode(',', array_column($rows, $name)) . '}',
        ['id', 'randomNumber'],
    );
    rows(
        'UPDATE world SET random_number = changed.number
        FROM unnest(?::int[], ?::int[]) AS changed (id, number) WHERE world.id = changed.id',
        $columns,
    );
    sendJson($rows);
}

function cached(): void
{
    if (!apcu_exists('worlds')) {
        $rows = rows('SELECT id, random_number AS "randomNumber" FROM cached_world');
        $keys = array_map(fn(array $row): string => "world {$row['id']}", $rows);
        apcu_store(array_combine($keys, $rows));
        apcu_store('worlds', true);
    }
    $rows = [];
    for ($i = rowsWanted(); $i > 0; $i--) {
        $rows[] = apcu_fetch('world ' . randomWorld());
    }
    sendJson($rows);
}
