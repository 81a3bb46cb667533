import { InvalidArgumentError } from "commander";

const kinds = ["machinedeployment", "machinedeployments", "md", "machinedeployments.cluster.x-k8s.io"];

/** The name in `machinedeployment/NAME`, in any spelling that kubectl takes. */
export const rolloutTarget = (value: string): string => {
  const [kind = "", name = "", ...rest] = value.split("/");
  if (kinds.includes(kind.toLowerCase()) && name !== "" && rest.length === 0) return name;
  throw new InvalidArgumentError("must be machinedeployment/NAME.");
};
