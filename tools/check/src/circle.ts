/** Who imports whom: every node with the nodes that it imports. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * One circle for every group of nodes that reach each other, the shortest through the group's first node in order of names.
 * A circle starts and ends with the same node.
 */
export const circlesOf = (graph: ImportGraph): readonly (readonly string[])[] => {
  const seen = new Set<string>();
  return [...graph.keys()].sort().flatMap((start) => {
    const circle = seen.has(start) ? undefined : shortestWayBack(graph, start);
    if (circle === undefined) return [];
    const reached = reachedFrom(graph, start);
    for (const node of reached) if (reachedFrom(graph, node).has(start)) seen.add(node);
    return [circle];
  });
};

const reachedFrom = (graph: ImportGraph, start: string): ReadonlySet<string> => {
  const reached = new Set(graph.get(start));
  for (const node of reached) for (const next of graph.get(node) ?? []) reached.add(next);
  return reached;
};

const shortestWayBack = (graph: ImportGraph, start: string): readonly string[] | undefined => {
  const before = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of [...(graph.get(node) ?? [])].sort()) {
      if (next === start) return [start, ...wayTo(before, start, node), start];
      if (before.has(next)) continue;
      before.set(next, node);
      queue.push(next);
    }
  }
  return undefined;
};

/** The nodes after `start` up to `node`. */
const wayTo = (before: ReadonlyMap<string, string>, start: string, node: string): readonly string[] =>
  node === start ? [] : [...wayTo(before, start, before.get(node) ?? start), node];
