package stampede.shared;

import java.util.concurrent.ThreadLocalRandom;

/** The tables `world` and `cached_world`, and how many of their rows are asked for. */
public final class WorldTable {
    public static final String SELECT = "SELECT id, random_number FROM world WHERE id = ?";
    public static final String SELECT_CACHED = "SELECT id, random_number FROM cached_world";
    /** Takes ids and their new numbers: sorted, or else two updates may wait for each other. */
    public static final String UPDATE = """
            UPDATE world SET random_number = changed.number
            FROM unnest(?::int[], ?::int[]) AS changed (id, number) WHERE world.id = changed.id""";

    private static final int ROWS = 10_000;
    private static final int MOST = 500;

    private WorldTable() {}

    /** An id, or a number: both go from 1 to 10,000. */
    public static int random() {
        return ThreadLocalRandom.current().nextInt(1, ROWS + 1);
    }

    /** Returns the number of rows that the parameter `queries` asks for: 1 for anything but digits. */
    public static int countOf(String queries) {
        if (queries == null || queries.isEmpty() || !queries.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return 1;
        }
        try {
            return Math.min(Math.max(Integer.parseInt(queries), 1), MOST);
        } catch (NumberFormatException e) {
            return MOST; // more digits than an int has
        }
    }
}
