import { int32, integer, object, optional, string, time } from "@capstan/schema";

export const count = (description: string) => optional(int32({ description }));

/** The last Machine that was replaced because it was unhealthy. */
export const lastRemediation = (flavor: "rke2" | "kthrees") =>
  optional(
    object(
      {
        machine: string({
          description: "Name of the Machine.",
          ...(flavor === "rke2" && { minLength: 1, maxLength: 253 }),
        }),
        timestamp: time({ description: "When it was replaced." }),
        retryCount: (flavor === "rke2" ? integer : int32)({
          description: "How often that was tried before without success.",
        }),
      },
      { description: "The last Machine that was replaced because it was unhealthy." },
    ),
  );
