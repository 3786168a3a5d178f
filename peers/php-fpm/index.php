<?php

declare(strict_types=1);

require __DIR__ . '/src/http.php';

/** Method, file and function of each route. nginx serves /static. */
const ROUTES = [
    '/' => ['GET', 'basic', 'text'],
    '/json' => ['GET', 'basic', 'greet'],
    '/plaintext' => ['GET', 'basic', 'plaintext'],
    '/primes' => ['GET', 'primes', 'primes'],
    '/schema' => ['POST', 'schema', 'schema'],
    '/upload' => ['POST', 'web', 'upload'],
    '/stream' => ['GET', 'web', 'stream'],
    '/sql1' => ['GET', 'rows', 'now'],
    '/sql2' => ['GET', 'rows', 'users'],
    '/books' => ['GET', 'rows', 'books'],
    '/fortunes' => ['GET', 'rows', 'fortunes'],
    '/db' => ['GET', 'world', 'world'],
    '/queries' => ['GET', 'world', 'queries'],
    '/updates' => ['GET', 'world', 'updates'],
    '/cached' => ['GET', 'world', 'cached'],
];

try {
    $route = ROUTES[strtok($_SERVER['REQUEST_URI'], '?')] ?? throw new Refused(404, 'not found');
    [$method, $file, $handler] = $route;
    $asked = $_SERVER['REQUEST_METHOD'] === 'HEAD' ? 'GET' : $_SERVER['REQUEST_METHOD'];
    if ($asked !== $method) {
        header('Allow: ' . ($method === 'GET' ? 'GET, HEAD' : $method));
        throw new Refused(405, 'method not allowed');
    }
    require __DIR__ . "/src/$file.php";
    $handler();
} catch (Refused $refused) {
    http_response_code($refused->getCode());
    header('Content-Type: text/plain');
    echo $refused->getMessage();
}
