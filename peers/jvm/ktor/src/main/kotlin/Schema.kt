package stampede.ktor

import io.ktor.http.ContentType
import io.ktor.server.plugins.BadRequestException
import io.ktor.server.plugins.UnsupportedMediaTypeException
import io.ktor.server.request.contentType
import io.ktor.server.request.header
import io.ktor.server.response.respond
import io.ktor.server.routing.Route
import io.ktor.server.routing.post
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonPrimitive

private const val MOST_BYTES = 65_536

private val integer = Regex("-?[0-9]+")

/** As RFC 8259 has it: Kotlin reads more texts as numbers. */
private val number = Regex("""-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?""")

private val format = Json { ignoreUnknownKeys = true }

@Serializable
private class Reply(val message: String)

@Serializable
private enum class Name { John, Foo }

/** Numbers are primitives here: as a Double, kotlinx.serialization would also take "1". */
@Serializable
private class Body(
    val requiredKey: List<JsonPrimitive>,
    val someKey: String = "",
    val someOtherKey: JsonPrimitive = JsonPrimitive(0),
    val nullableKey: JsonPrimitive? = null,
    val multipleTypesKey: JsonPrimitive = JsonPrimitive(0),
    val multipleRestrictedTypesKey: JsonPrimitive = JsonPrimitive(10),
    val enumKey: Name = Name.John,
) {
    init {
        require(requiredKey.size <= 3 && requiredKey.all { it.isInteger() })
        require(someOtherKey.isNumber())
        require(nullableKey == null || nullableKey.isNumber())
        require(multipleTypesKey.isNumber() || multipleTypesKey.isBoolean())
        require(multipleRestrictedTypesKey.isShort() || multipleRestrictedTypesKey.isLarge())
    }
}

fun Route.schema() {
    post("/schema") {
        if (!call.request.contentType().match(ContentType.Application.Json)) {
            throw UnsupportedMediaTypeException(call.request.contentType())
        }
        val bytes = call.receiveAtMost(MOST_BYTES)
        call.request.header("x-foo") ?: throw BadRequestException("there is no x-foo")
        val excitement = call.request.queryParameters["excitement"]
        if (excitement?.matches(integer) == false) throw BadRequestException("bad excitement")
        try {
            format.decodeFromString<Body>(bytes.decodeToString())
        } catch (e: IllegalArgumentException) {
            throw BadRequestException("bad body", e)
        }
        call.respond(Reply("Hello, World"))
    }
}

private fun JsonPrimitive.isNumber() = !isString && content.matches(number)

private fun JsonPrimitive.isInteger() = isNumber() && content.toDouble() % 1 == 0.0

private fun JsonPrimitive.isBoolean() = !isString && (content == "true" || content == "false")

private fun JsonPrimitive.isShort() = isString && content.codePointCount(0, content.length) <= 5

private fun JsonPrimitive.isLarge() = isNumber() && content.toDouble() >= 10
