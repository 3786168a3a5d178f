package stampede.ktor

import io.ktor.http.ContentType
import io.ktor.server.application.ApplicationCall
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import java.sql.Connection
import java.sql.ResultSet
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.serialization.Serializable
import stampede.shared.WorldTable

@Serializable
private data class World(val id: Int, val randomNumber: Int)

fun Route.worlds(database: Database) {
    get("/plaintext") { call.respondText("Hello, World!", ContentType.Text.Plain) }

    get("/db") { call.respond(database.use { it.randomRow() }) }

    get("/queries") {
        val count = call.count()
        call.respond(database.use { it.randomRows(count) })
    }

    get("/updates") {
        val count = call.count()
        call.respond(database.use { it.updatedRows(count) })
    }

    val cache = Cache(database)
    get("/cached") {
        val rows = cache.rows()
        call.respond(List(call.count()) { rows.getValue(WorldTable.random()) })
    }
}

/** The rows of `cached_world`, from the first request on. */
private class Cache(private val database: Database) {
    private val mutex = Mutex()

    @Volatile
    private var rows: Map<Int, World>? = null

    suspend fun rows() = rows ?: mutex.withLock { rows ?: read().also { rows = it } }

    private suspend fun read() =
        database.use { it.query(WorldTable.SELECT_CACHED, read = ::worldOf) }.associateBy { it.id }
}

private fun Connection.randomRow() =
    query(WorldTable.SELECT, WorldTable.random(), read = ::worldOf).single()

private fun Connection.randomRows(count: Int) = List(count) { randomRow() }

private fun Connection.updatedRows(count: Int): List<World> {
    val rows = randomRows(count).map { it.copy(randomNumber = WorldTable.random()) }
    val changed = rows.sortedBy { it.id }
    val ids = IntArray(count) { changed[it].id }
    val numbers = IntArray(count) { changed[it].randomNumber }
    update(WorldTable.UPDATE, ids, numbers)
    return rows
}

private fun worldOf(row: ResultSet) = World(row.getInt("id"), row.getInt("random_number"))

private fun ApplicationCall.count() = WorldTable.countOf(request.queryParameters["queries"])
