"""Files by which other projects can check that they agree with this one."""
