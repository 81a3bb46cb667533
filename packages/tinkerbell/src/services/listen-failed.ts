import { CapstanError } from "@capstan/contract";

/** A service of machines cannot listen where it should. */
export const listenFailed = (service: string, at: string, cause: Error): CapstanError =>
  new CapstanError({
    code: "tink.listen_failed",
    reason: "ListenFailed",
    message: `${service} cannot listen at ${at}: ${cause.message}; choose another address or port`,
    retry: { kind: "never" },
    cause,
  });
