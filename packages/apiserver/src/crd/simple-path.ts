const step = /\.([A-Za-z_][\w-]*)|\['((?:[^'\\]|\\.)*)'\]/y;

/** Members of a path such as `.spec.size` or `.metadata['a.b']`; `undefined` for anything that is not a simple path. */
export const simplePath = (path: string): readonly string[] | undefined => {
  const members: string[] = [];
  if (!path.startsWith(".")) return undefined;
  for (let at = 0; at < path.length; at = step.lastIndex) {
    step.lastIndex = at;
    const found = step.exec(path);
    if (found === null) return undefined;
    members.push(found[1] ?? found[2]!.replaceAll(/\\(.)/g, "$1"));
  }
  return members;
};

/** The value at a path; `undefined` where a member is absent. */
export const valueAt = (object: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, member) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, member)
        ? (value as Record<string, unknown>)[member]
        : undefined,
    object,
  );
