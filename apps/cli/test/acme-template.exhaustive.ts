import { infraMachineConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { machineCloud, subject } from "../templates/infra-acme/test/account.ts";

infraMachineConformance({ afterAll, beforeAll, describe, it }, { ...subject, start: machineCloud });
