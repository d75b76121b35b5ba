package example;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fields of objects that have no Java type here: Workloads, Trainings and the pods that they describe. */
final class Fields {
  private Fields() {}

  /** Returns a field as a mapping, an empty one where there is none. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> map(Map<String, Object> holder, String... path) {
    Map<String, Object> value = holder;
    for (String name : path) {
      Object inner = value.get(name);
      value = inner == null ? Map.of() : (Map<String, Object>) inner;
    }
    return value;
  }

  /** Returns a field as a list of mappings, an empty one where there is none. */
  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> list(Map<String, Object> holder, String name) {
    Object value = holder.get(name);
    return value == null ? List.of() : (List<Map<String, Object>>) value;
  }

  static int number(Map<String, Object> holder, String name) {
    return holder.get(name) instanceof Number value ? value.intValue() : 0;
  }

  /** Returns a copy with another value of a field; without that field where the value is null or empty. */
  static Map<String, Object> with(Map<String, Object> holder, String name, Object value) {
    Map<String, Object> copy = new LinkedHashMap<>(holder);
    boolean empty = value == null || value instanceof Map<?, ?> map && map.isEmpty() || value instanceof List<?> list && list.isEmpty();
    if (empty) {
      copy.remove(name);
    } else {
      copy.put(name, value);
    }
    return copy;
  }
}
