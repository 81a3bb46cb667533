import type { TreeNode } from "./tree.ts";

export interface CondenseOptions {
  /** Machines that are ready alike become one line. */
  readonly grouping: boolean;
  /** Shows also what only repeats that its parent is ready. */
  readonly echo: boolean;
}

const isReady = ({ standing }: TreeNode): boolean =>
  standing === undefined || (standing.status === "True" && standing.type !== "Deleting" && standing.type !== "Failed");

/** Ready, and nothing else is said of it. */
const isUnremarkable = (node: TreeNode): boolean => isReady(node) && node.standing?.remark === undefined;

const namesShown = 3;

/** One line for several Machines; its time is that of the last one that became ready. */
const group = (nodes: readonly TreeNode[]): TreeNode => {
  const names = nodes.map(({ name }) => name);
  const more = names.length > namesShown ? ", ..." : "";
  const since = nodes
    .map(({ standing }) => standing?.since ?? "")
    .toSorted()
    .at(-1);
  return {
    role: "",
    kind: "",
    name: `${nodes.length} Machines...`,
    standing: {
      type: nodes[0]?.standing?.type ?? "Ready",
      status: "True",
      reason: nodes[0]?.standing?.reason ?? "",
      message: `See ${names.slice(0, namesShown).join(", ")}${more}`,
      ...(since !== undefined && since !== "" && { since }),
    },
    conditions: [],
    children: [],
  };
};

/** Returns the key by which Machines share a line; `undefined` for Machines that get their own. */
const keyOf = (node: TreeNode): string | undefined =>
  node.kind === "Machine" && isUnremarkable(node) ? (node.standing?.reason ?? "") : undefined;

/** Ready Machines beside one another, with equal reasons, become one line where the first of them stood. */
const grouped = (nodes: readonly TreeNode[]): readonly TreeNode[] => {
  const alike = Map.groupBy(nodes, keyOf);
  return nodes.flatMap((node) => {
    const key = keyOf(node);
    const members = key === undefined ? [] : (alike.get(key) ?? []);
    if (members.length < 2) return [node];
    return members[0] === node ? [group(members)] : [];
  });
};

/** The tree without what need not be said. */
export const condensed = (node: TreeNode, options: CondenseOptions): TreeNode => {
  const children = node.children
    .filter((child) => options.echo || child.echo !== true || !isUnremarkable(child) || !isReady(node))
    .map((child) => condensed(child, options));
  return { ...node, children: options.grouping ? grouped(children) : children };
};
