import type { StoredConfig, StoredInstance } from "../state.ts";

/** The profile that an instance runs with, or would: that of its last boot, or its first. */
export const runningConfig = ({
  configs,
  configId,
}: Pick<StoredInstance, "configs" | "configId">): StoredConfig | undefined =>
  configs.find(({ id }) => id === configId) ?? configs[0];
