"""What a host installs: the files of deploy/, each tried as far as a machine alone can."""
