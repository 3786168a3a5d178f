package stampede.ktor

import io.ktor.server.application.ApplicationCall
import io.ktor.server.plugins.BadRequestException
import io.ktor.server.response.respond
import io.ktor.server.response.respondFile
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import java.io.File
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Clock
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Instant
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext
import kotlinx.serialization.Serializable
import stampede.shared.Sieve

@Serializable
private class Greeting(val message: String, val ts: Instant)

@Serializable
private class Primes(val numbers: IntArray, val from: String)

fun Route.pages() {
    get("/") { call.respondText("Hello world") }

    get("/json") { call.respond(Greeting("Hello world", Clock.System.now())) }

    val html = File(variable("HELLO_HTML") ?: "hello.html")
    val delays = AtomicLong()
    get("/delay") {
        val ms = call.integer("ms", 0..60_000, 2000)
        val every = call.integer("every", 1..1_000_000, 10)
        if (delays.incrementAndGet() % every == 0L) delay(ms.milliseconds)
        call.respondFile(html)
    }

    val cores = Runtime.getRuntime().availableProcessors()
    val cpu = Dispatchers.Default.limitedParallelism(number("CPU_WORKERS", cores))
    get("/primes") {
        val limit = call.integer("limit", 2..10_000_000, 1_000_000)
        withContext(cpu) { call.respond(Primes(Sieve.primesUpTo(limit), "ktor")) }
    }
}

/** A whole number of the query; any other text there, or one out of range, is answered 400. */
fun ApplicationCall.integer(name: String, range: IntRange, fallback: Int): Int {
    val text = request.queryParameters[name] ?: return fallback
    return text.toIntOrNull()?.takeIf { it in range } ?: throw BadRequestException("$name is not in $range")
}
