package stampede.spring;

import static java.util.Comparator.comparingInt;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.util.function.SingletonSupplier;
import stampede.shared.WorldTable;

@Repository
class WorldRepository {
    record World(int id, int randomNumber) {}

    private final JdbcClient jdbc;
    private final Supplier<Map<Integer, World>> cache = SingletonSupplier.of(this::readCached);

    WorldRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    World random() {
        return jdbc.sql(WorldTable.SELECT).param(WorldTable.random()).query(World.class).single();
    }

    List<World> random(int count) {
        return Stream.generate(this::random).limit(count).toList();
    }

    List<World> updated(int count) {
        var rows = Stream.generate(this::random)
                .limit(count)
                .map(row -> new World(row.id(), WorldTable.random()))
                .toList();
        var changed = rows.stream().sorted(comparingInt(World::id)).toList();
        jdbc.sql(WorldTable.UPDATE)
                .param(changed.stream().mapToInt(World::id).toArray())
                .param(changed.stream().mapToInt(World::randomNumber).toArray())
                .update();
        return rows;
    }

    List<World> cached(int count) {
        var rows = cache.get();
        return Stream.generate(() -> rows.get(WorldTable.random())).limit(count).toList();
    }

    private Map<Integer, World> readCached() {
        try (var rows = jdbc.sql(WorldTable.SELECT_CACHED).query(World.class).stream()) {
            return rows.collect(toMap(World::id, identity()));
        }
    }
}
