/** Reasons of the conditions of Tinkerbell's kinds. Beside them stand those of errors. */
export const TinkerbellReason = {
  controlPlaneEndpointMissing: "ControlPlaneEndpointMissing",
} as const;
