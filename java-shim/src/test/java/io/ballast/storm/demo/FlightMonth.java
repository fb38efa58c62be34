package io.ballast.storm.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** The flights of January 2013 that arrived, in the order they left. */
public final class FlightMonth {
  private static final String RESOURCE = "/nycflights13/flights-2013-01.csv.gz";
  private static final String MISSING = "NA";

  private FlightMonth() {}

  public static List<Flight> load() {
    try (InputStream file = FlightMonth.class.getResourceAsStream(RESOURCE)) {
      if (file == null) {
        throw new IllegalStateException(RESOURCE + " is not on the class path");
      }
      return read(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RESOURCE, e);
    }
  }

  private static List<Flight> read(InputStream file) throws IOException {
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(file), StandardCharsets.UTF_8));
    List<String> header = Arrays.asList(lines.readLine().split(","));
    int carrier = column(header, "carrier");
    int tail = column(header, "tailnum");
    int origin = column(header, "origin");
    int dest = column(header, "dest");
    int delay = column(header, "arr_delay");
    List<Flight> flights = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] cells = line.split(",");
      if (!cells[delay].equals(MISSING)) {
        flights.add(
            new Flight(
                cells[carrier],
                cells[tail],
                cells[origin],
                cells[dest],
                Integer.parseInt(cells[delay])));
      }
    }
    return List.copyOf(flights);
  }

  private static int column(List<String> header, String name) {
    int index = header.indexOf(name);
    if (index < 0) {
      throw new IllegalStateException(RESOURCE + " has no column " + name + ", only " + header);
    }
    return index;
  }
}
