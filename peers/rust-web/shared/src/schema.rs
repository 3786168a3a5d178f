use std::collections::HashMap;

use garde::Validate;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{Failure, refused};

pub const MAX_BODY_BYTES: usize = 65_536;

#[derive(Deserialize, Validate)]
pub struct Parameters {
    #[garde(inner(custom(digits)))]
    excitement: Option<String>,
}

#[expect(dead_code, reason = "validated, and of no other use")]
#[derive(Deserialize, Validate)]
#[garde(allow_unvalidated)]
#[serde(rename_all = "camelCase")]
pub struct Body {
    #[garde(length(max = 3), inner(custom(integer)))]
    required_key: Vec<f64>,
    #[serde(default, deserialize_with = "not_null")]
    some_key: Option<String>,
    #[serde(default, deserialize_with = "not_null")]
    some_other_key: Option<f64>,
    nullable_key: Option<f64>,
    #[serde(default, deserialize_with = "not_null")]
    multiple_types_key: Option<BooleanOrNumber>,
    #[garde(inner(custom(restricted)))]
    #[serde(default, deserialize_with = "not_null")]
    multiple_restricted_types_key: Option<StringOrNumber>,
    #[garde(inner(custom(john_or_foo)))]
    #[serde(default, deserialize_with = "not_null")]
    enum_key: Option<String>,
    /// Without it serde would also take an array of the values.
    #[serde(flatten)]
    others: HashMap<String, IgnoredAny>,
}

#[expect(dead_code, reason = "validated, and of no other use")]
#[derive(Deserialize)]
#[serde(untagged)]
enum BooleanOrNumber {
    Boolean(bool),
    Number(f64),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum StringOrNumber {
    String(String),
    Number(f64),
}

#[derive(Serialize)]
pub struct Reply {
    message: &'static str,
}

/// What /schema answers, if all of the request is as the contract has it.
pub fn answer(has_foo: bool, parameters: &Parameters, body: &Body) -> Result<Reply, Failure> {
    if !has_foo {
        return Err(refused("x-foo is missing"));
    }
    parameters.validate().map_err(refused)?;
    body.validate().map_err(refused)?;
    Ok(Reply {
        message: "Hello, World",
    })
}

/// An optional key may be missing, but `Option` alone would take null for that.
fn not_null<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}

fn digits(text: &str, _: &()) -> garde::Result {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let valid = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    ensure(valid, "is no integer")
}

fn integer(number: &f64, _: &()) -> garde::Result {
    ensure(number.fract() == 0.0, "is no integer")
}

fn restricted(value: &StringOrNumber, _: &()) -> garde::Result {
    match value {
        StringOrNumber::String(text) => ensure(text.chars().count() <= 5, "is longer than 5"),
        StringOrNumber::Number(number) => ensure(*number >= 10.0, "is less than 10"),
    }
}

fn john_or_foo(name: &str, _: &()) -> garde::Result {
    ensure(matches!(name, "John" | "Foo"), "is neither John nor Foo")
}

fn ensure(valid: bool, message: &str) -> garde::Result {
    if valid {
        Ok(())
    } else {
        Err(garde::Error::new(message))
    }
}
