import { CapstanError } from "../error.ts";

/** HTTP status a refused patch is answered with. */
export type PatchStatus = 400 | 413 | 422 | 500;

const reasons: Readonly<Record<PatchStatus, string>> = {
  400: "BadRequest",
  413: "RequestEntityTooLarge",
  422: "Invalid",
  500: "InternalError",
};

/** A patch that cannot be applied. The document it was meant for is untouched. Code `apiserver.patch_refused`. */
export class PatchError extends CapstanError {
  readonly status: PatchStatus;

  constructor(status: PatchStatus, message: string) {
    super({ code: "apiserver.patch_refused", reason: reasons[status], retry: { kind: "never" }, message });
    this.name = "PatchError";
    this.status = status;
  }
}
