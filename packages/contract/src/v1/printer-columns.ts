import { Label } from "../names.ts";

/** The column with the Cluster that an object belongs to, by its label. */
export const clusterNameColumn = {
  name: "Cluster",
  path: `.metadata.labels['${Label.clusterName.replaceAll(".", "\\.")}']`,
} as const;
