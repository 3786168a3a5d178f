<?php

declare(strict_types=1);

require __DIR__ . '/database.php';

const LAST_OFFSET = 200_000 - 10;

function now(): void
{
    $now = new DateTimeImmutable(rows('SELECT now() AS ts')[0]['ts']);
    sendJson(['ts' => $now->format('Y-m-d\TH:i:s.up')]);
}

function users(): void
{
    $sql = 'SELECT id, full_name, email FROM users LIMIT 10 OFFSET ?';
    sendJson(rows($sql, [mt_rand(0, LAST_OFFSET)]));
}

function books(): void
{
    sendJson(['from' => 'PHP', 'data' => rows('SELECT * FROM books')]);
}

function fortunes(): void
{
    $fortunes = rows('SELECT id, message FROM fortune');
    $fortunes[] = ['id' => 0, 'message' => 'Brewed for this very request.'];
    usort($fortunes, fn(array $a, array $b): int => strcmp($a['message'], $b['message']));
    header('Content-Type: text/html; charset=utf-8');
    require __DIR__ . '/fortunes.phtml';
}
