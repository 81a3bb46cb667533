import { builtinGroups } from "./builtin/types/resource-facts.ts";

/** Returns whether Kubernetes has the kind outside of namespaces; `undefined` for a kind that is not built into this server. */
export const isBuiltInClusterScoped = (group: string, kind: string): boolean | undefined => {
  const found = builtinGroups
    .filter((each) => each.group === group)
    .flatMap(({ resources }) => resources)
    .find((each) => each.kind === kind);
  return found && found.cluster === true;
};
