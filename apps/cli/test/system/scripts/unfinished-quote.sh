#!/bin/bash
echo before
echo "never ends
