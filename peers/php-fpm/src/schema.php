<?php

/** The body of /schema, by scenarios/schema_contract.json. nginx answers 413 if it is too large. */

declare(strict_types=1);

function schema(): void
{
    $type = strtok($_SERVER['CONTENT_TYPE'] ?? '', ';');
    if ($type === false || strcasecmp(trim($type), 'application/json') !== 0) {
        throw new Refused(415, 'not application/json');
    }
    if (!isset($_SERVER['HTTP_X_FOO'])) {
        throw new Refused(400, 'bad x-foo: there is none');
    }
    $excitement = $_GET['excitement'] ?? '0';
    if (!is_string($excitement) || preg_match('/^-?[0-9]+$/D', $excitement) !== 1) {
        throw new Refused(400, 'bad excitement');
    }
    $body = json_decode(file_get_contents('php://input'));
    if (!$body instanceof stdClass) {
        throw new Refused(400, 'bad JSON: not an object');
    }
    foreach (rules() as $key => $isValid) {
        if (property_exists($body, $key) ? !$isValid($body->$key) : $key === 'requiredKey') {
            throw new Refused(400, "bad $key");
        }
    }
    sendJson(['message' => 'Hello, World']);
}

/** @return array<string, callable(mixed): bool> */
function rules(): array
{
    return [
        'requiredKey' => isShortListOfIntegers(...),
        'someKey' => is_string(...),
        'someOtherKey' => isNumber(...),
        'nullableKey' => fn(mixed $v): bool => $v === null || isNumber($v),
        'multipleTypesKey' => fn(mixed $v): bool => is_bool($v) || isNumber($v),
        'multipleRestrictedTypesKey' => fn(mixed $v): bool =>
            is_string($v) ? preg_match('/^.{0,5}$/Dsu', $v) === 1 : isNumber($v) && $v >= 10,
        'enumKey' => fn(mixed $v): bool => $v === 'John' || $v === 'Foo',
    ];
}

function isNumber(mixed $value): bool
{
    return is_int($value) || is_float($value);
}

function isShortListOfIntegers(mixed $value): bool
{
    if (!is_array($value) || count($value) > 3) {
        return false;
    }
    foreach ($value as $item) {
        if (!isNumber($item) || floor($item) != $item) {
            return false;
        }
    }
    return true;
}
