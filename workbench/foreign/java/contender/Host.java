package contender;

import com.codingame.gameengine.runner.CommandLinePlayerAgent;
import com.codingame.gameengine.runner.MultiplayerGameRunner;
import com.codingame.gameengine.runner.simulate.GameResult;
import com.google.gson.Gson;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Plays games of a challenge by the public classes of CodinGame's runner. With the arguments of a game it plays that one; with
 * {@code -serve} it plays one for each line that it reads, whose arguments are separated by tabs, and writes a line
 * {@code contender-end STATUS} after each. {@code -fresh}, after it, loads all classes anew for each game, so that no game leaves
 * anything to the next one.
 */
public final class Host {
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    private static final PrintStream ERR = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);

    private Host() {}

    public static void main(String[] args) throws Exception {
        // What a challenge prints is no score.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        // A referee that has failed is waited for until its time limit; its thread has ended, and that is known at once.
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            error.printStackTrace(ERR);
            for (StackTraceElement place : error.getStackTrace()) {
                if (place.getClassName().endsWith(".RefereeMain")) {
                    ERR.println("the referee has failed: " + error);
                    Runtime.getRuntime().halt(3);
                }
            }
        });
        if (args.length == 0 || !args[0].equals("-serve")) {
            System.exit(report(play(args)));
        }
        boolean isFresh = args.length > 1 && args[1].equals("-fresh");
        Bots bots = new Bots();
        bots.start();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            String[] words = line.split("\t", -1);
            int status = report(isFresh ? playFresh(words) : play(words));
            bots.end();
            OUT.println("contender-end " + status);
            OUT.flush();
        }
        System.exit(0);
    }

    private static int report(String[] lines) {
        boolean isPlayed = lines.length > 0 && !lines[0].startsWith("!");
        for (String line : lines) {
            if (isPlayed) {
                OUT.println(line);
            } else {
                ERR.println(line);
            }
        }
        OUT.flush();
        return isPlayed ? 0 : 1;
    }

    private static String[] playFresh(String[] args) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(new File(path).toURI().toURL());
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            @SuppressWarnings("unchecked")
            Function<String[], String[]> game =
                (Function<String[], String[]>) loader.loadClass("contender.Host$Game").getDeclaredConstructor().newInstance();
            return game.apply(args);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static String[] play(String[] args) {
        return new Game().apply(args);
    }

    /** One game: its arguments to the lines of its result, or to one that begins with an exclamation mark and says why there is none. */
    public static final class Game implements Function<String[], String[]> {
        @Override
        public String[] apply(String[] args) {
            try {
                return result(args);
            } catch (Throwable error) {
                Throwable cause = error;
                while (cause.getCause() != null) {
                    cause = cause.getCause();
                }
                return new String[] {"!" + error + (cause == error ? "" : ": " + cause)};
            }
        }

        private static String[] result(String[] args) throws Exception {
            Map<String, String> options = new LinkedHashMap<>();
            for (int at = 0; at < args.length; at += 2) {
                if (at + 1 == args.length) {
                    throw new IllegalArgumentException(args[at] + " has no value");
                }
                options.put(args[at], args[at + 1]);
            }
            MultiplayerGameRunner runner = new MultiplayerGameRunner();
            if (options.containsKey("-seed")) {
                runner.setSeed(Long.valueOf(options.get("-seed")));
            }
            runner.setLeagueLevel(Integer.parseInt(options.getOrDefault("-league", "10")));
            long least = Long.parseLong(options.getOrDefault("-timeout", "0"));
            int players = 0;
            while (options.containsKey("-p" + (players + 1))) {
                players += 1;
                String[] words = options.get("-p" + players).split(" ");
                if (least == 0) {
                    runner.addAgent(words);
                } else {
                    add(runner, new Patient(words, least));
                }
            }
            GameResult game = runner.simulate();
            if (options.containsKey("-l")) {
                Files.write(Paths.get(options.get("-l")), log(game, players).getBytes(StandardCharsets.UTF_8));
            }
            List<String> lines = new ArrayList<>();
            for (int player = 0; player < players; player++) {
                if (game.scores.get(player) == null) {
                    throw new IllegalStateException("no score of player " + player + ": " + game.failCause);
                }
                lines.add(game.scores.get(player).toString());
            }
            lines.addAll(game.gameParameters);
            return lines.toArray(new String[0]);
        }

        /** The runner takes agents of its own kinds only, but for a private method with a type that is its own, too. */
        private static void add(MultiplayerGameRunner runner, CommandLinePlayerAgent agent) throws Exception {
            for (Method method : MultiplayerGameRunner.class.getDeclaredMethods()) {
                Class<?>[] types = method.getParameterTypes();
                if (method.getName().equals("addAgent") && types.length == 3 && types[0].isInstance(agent)) {
                    method.setAccessible(true);
                    method.invoke(runner, agent, null, null);
                    return;
                }
            }
            throw new IllegalArgumentException("this runner takes no time (-timeout)");
        }

        /** The keys that the engine's own log has. */
        private static String log(GameResult game, int players) {
            Map<String, Object> log = new LinkedHashMap<>();
            log.put("errors", game.errors);
            log.put("outputs", game.outputs);
            log.put("summaries", game.summaries);
            log.put("views", game.views);
            log.put("scores", game.scores);
            log.put("uinput", game.gameParameters);
            log.put("metadata", game.metadata);
            log.put("tooltips", game.tooltips);
            Map<Integer, Integer> ids = new LinkedHashMap<>();
            for (int player = 0; player < players; player++) {
                ids.put(player, player);
            }
            log.put("ids", ids);
            log.put("agents", game.agents);
            log.put("failCause", game.failCause);
            return new Gson().toJson(log);
        }
    }

    /**
     * A bot that has at least so many milliseconds for every answer, whatever the challenge says. The engine has two limits: the
     * runner waits for the challenge's time and {@link #EXTRA} more, and the engine's own player counts every answer that took
     * longer than the challenge's time, as the runner has told it; the third such answer loses.
     */
    private static final class Patient extends CommandLinePlayerAgent {
        /** {@code GameManager.SOFT_TIMELIMIT_EXTRA}. */
        private static final long EXTRA = 50;
        private final long least;
        private long given;

        Patient(String[] words, long least) {
            super(words);
            this.least = least;
        }

        @Override
        public String getOutput(int lines, long timeout) {
            given = timeout;
            return super.getOutput(lines, Math.max(timeout, least));
        }

        /** The runner calls this between measuring an answer's time and telling it; before there was a second limit, it told none. */
        @Override
        public String readError() {
            try {
                Field taken = CommandLinePlayerAgent.class.getField("lastExecutionTimeMs");
                taken.setAccessible(true);
                if (taken.getLong(this) <= least) {
                    taken.setLong(this, Math.max(0, Math.min(taken.getLong(this), given - EXTRA)));
                }
            } catch (ReflectiveOperationException none) {
                // An older engine.
            }
            return super.readError();
        }
    }

    /** The processes that games start, also those that bots start: the runner ends the bots only. */
    private static final class Bots extends Thread {
        private final Set<ProcessHandle> seen = ConcurrentHashMap.newKeySet();

        Bots() {
            super("bots");
            setDaemon(true);
        }

        @Override
        public void run() {
            while (true) {
                ProcessHandle.current().descendants().forEach(seen::add);
                try {
                    Thread.sleep(100);
                } catch (InterruptedException end) {
                    return;
                }
            }
        }

        void end() {
            ProcessHandle.current().descendants().forEach(seen::add);
            seen.forEach(ProcessHandle::destroyForcibly);
            seen.clear();
        }
    }
}
