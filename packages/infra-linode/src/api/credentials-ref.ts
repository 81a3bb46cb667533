import { optional, secretReference } from "@capstan/schema";

/** `credentialsRef` of what stands for one thing at Linode. */
export const credentialsRef = () =>
  optional(secretReference({ description: "Secret with the key apiToken; the controller's own token when unset." }));
