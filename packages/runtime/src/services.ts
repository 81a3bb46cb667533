import { CapstanError } from "@capstan/contract";
import type { ServiceKey } from "@capstan/contract/v1";

/** Services that the application plugged in, by key. */
export interface Services {
  provide<T>(key: ServiceKey<T>, service: T): void;
  /** Throws `runtime.service_missing`. */
  service<T>(key: ServiceKey<T>): T;
  findService<T>(key: ServiceKey<T>): T | undefined;
}

export const createServices = (): Services => {
  const services = new Map<string, unknown>();
  const findService = <T>(key: ServiceKey<T>): T | undefined => services.get(key.name) as T | undefined;
  return {
    provide: (key, service) => {
      if (services.has(key.name)) {
        throw new CapstanError({
          code: "runtime.service_conflict",
          reason: "ServiceConflict",
          message: `service "${key.name}" is already plugged in; plug in one implementation`,
          retry: { kind: "never" },
        });
      }
      services.set(key.name, service);
    },
    service: (key) => {
      const service = findService(key);
      if (service !== undefined) return service;
      throw new CapstanError({
        code: "runtime.service_missing",
        reason: "ServiceMissing",
        message: `service "${key.name}" is needed but not plugged in; call manager.provide with an implementation`,
        retry: { kind: "never" },
      });
    },
    findService,
  };
};
