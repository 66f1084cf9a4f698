"""Best play: what every option is worth for a goal, and the policy that plays best."""
