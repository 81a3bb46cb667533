import { afterAll, beforeAll, describe, it } from "vitest";
import { testFirewalls } from "./firewall-conformance.ts";

testFirewalls({ afterAll, beforeAll, describe, it, crashEvery: 11 });
