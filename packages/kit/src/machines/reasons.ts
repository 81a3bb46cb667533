/** Reasons of Events about Machines that are made and deleted. */
export const MakerReason = { created: "SuccessfulCreate", deleted: "SuccessfulDelete" } as const;
